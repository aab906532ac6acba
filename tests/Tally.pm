# Tally.pm: prove's report with one line at the end, "N passed, N failed, N skipped". A file that
# crashed, ran too long or printed no plan counts as one failure more than its failed tests.
package Tally;
use strict;
use warnings;
use parent 'TAP::Formatter::File';

sub summary {
    my ($self, $all, @rest) = @_;
    $self->SUPER::summary($all, @rest);
    my $broken = grep { $_->has_problems && !$_->failed } $all->parsers($all->descriptions);
    printf "%d passed, %d failed, %d skipped\n", $all->passed - $all->skipped,
      $all->failed + $broken, scalar $all->skipped;
}

1;
