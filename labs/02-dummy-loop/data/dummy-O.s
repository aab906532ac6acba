# gcc 12.2 -O, x86-64: the function dummy() of exercise 02
dummy:
	movq	%rsi, %rax
	movslq	%edi, %rcx
	cqto
	idivq	%rcx
	movl	$0, %r8d
	movl	$0, %r9d
	testq	%rax, %rax
	jg	.L2
.L1:
	movq	%r9, %rax
	ret
.L4:
	movl	%edx, %ecx
	addl	$1, %edx
	cmpl	%edx, %edi
	jne	.L4
	movl	%ecx, %ecx
	leaq	1(%r9,%rcx), %r9
.L5:
	addq	$1, %r8
	cmpq	%r8, %rax
	je	.L1
.L2:
	movl	$0, %edx
	testl	%edi, %edi
	jg	.L4
	jmp	.L5
	.size	dummy, .-dummy
