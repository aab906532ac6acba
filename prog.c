#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
int main(int c,char**v){double*a=malloc(1000*sizeof*a);for(int i=0;i<1000;i++)a[i]=sin(i)+strlen(v[0]);printf("%g\n",a[c]);return 0;}
