# Planted mistakes in exercise 20 and the points that they cost, and right programs in another style;
# tests/labs/faults.t reads it.
# shellcheck shell=bash disable=SC2016,SC2154 # $ in single quotes is for sed; $work is the folder with the mistake

list=('list.dat: your measurement' 'list.dat: the shuffled list is slower than the array')
hash=('hash.dat: your measurement' 'hash.dat: the large table is slower than the small one, chained')
sharing=('sharing.dat: your measurement' 'sharing.dat: together is slower than apart')
all=("${list[@]}" "${hash[@]}" "${sharing[@]}")

faulty 20 'cold' 's/^ *sink = work\(data\); \/\* warms.*//; s/tries < 5/tries < 1/; s/took < 2e6/took < 0/'
loses 20 'one call, timed once' 'ns_per_item: long enough for the clock' \
    'ns_per_item: the first call does not count' \
    'ns_per_item: an interrupted try does not count' 'ns_per_item: long work is not repeated for minutes' "${all[@]}"
faulty 20 'mean' 's/if \(tries\+\+ == 0 .*/tries++;/; s/best = took \/ \(double\)calls;/best += took \/ (double)calls \/ 5;/'
loses 20 'the mean of all tries' 'ns_per_item: an interrupted try does not count' "${all[@]}"
faulty 20 'one more' '/^long sum_array/,/^}/s/i < items->count/i <= items->count/; /^long look_up/,/^}/s/i < table->count/i <= table->count/'
loses 20 'one item too many' 'sum_array: all items, and no more' 'look_up_all: every key' \
    'look_up_chained: each value is the next key' 'look_up_chained: another round' "${list[@]}" "${hash[@]}"
faulty 20 'array for list' '/^long sum_list/,/^}/{s/for \(.*/for (long i = 0; i < items->count; i++)/; s/item->value/items->at[i].value/}'
loses 20 'an array called a list' 'sum_list: along the list' "${list[@]}"
faulty 20 'one line' 's/_Alignas\(64\) _Atomic long count;/_Atomic long count;/'
loses 20 'two tallies on one line' 'tally: a line for each thread' "${sharing[@]}"
faulty 20 'late' ''
echo '# I knew it' >>"$work/predict.txt"
sed -i 's/^used_percent.*/used_percent = 100/' "$work/answers.txt"
sed -i '/^list\t/d' "$work/list.dat"
loses 20 'a prediction made afterwards, a way that was left out' 'prediction made before measuring' \
    'answer used_percent' 'list.dat: your measurement'
faulty 20 'three' '/^double ns_per_item/,/^}/s/return best \/ \(double\)items;/(void)best;\n    (void)items;\n    return 3.0;/'
loses 20 'always three ns' 'ns_per_item: long enough for the clock' 'ns_per_item: the first call does not count' \
    'ns_per_item: an interrupted try does not count' "${all[@]}"
faulty 20 'keys for values' '/^long look_up_all/,/^}/s/find\(table, table->keys\[i\]\)->value/table->keys[i]/'
loses 20 'look-ups that look nothing up' 'look_up_all: every key' "${hash[@]}"
rewritten 20 'next key' look_up_chained <<'C'
long look_up_chained(void *data)
{
    const struct table *table = data;

    return (long)table->keys[3 * table->count % table->count];
}
C
loses 20 'a chain of one step' 'look_up_chained: each value is the next key' 'look_up_chained: another round' "${hash[@]}"

rewritten 20 'sorted' ns_per_item <<'C'
static double round_ns(long (*work)(void *), void *data, long calls)
{
    double begin = now_ns();

    while (calls-- > 0)
        sink = work(data);
    return now_ns() - begin;
}

/* The median of seven tries. */
double ns_per_item(long (*work)(void *), void *data, long items)
{
    double took[7];
    long calls = 1;

    (void)round_ns(work, data, 1);
    while (round_ns(work, data, calls) < 4e6)
        calls *= 2;
    for (int i = 0; i < 7; i++) {
        double ns = round_ns(work, data, calls) / (double)calls;
        int k = i;

        for (; k > 0 && took[k - 1] > ns; k--)
            took[k] = took[k - 1];
        took[k] = ns;
    }
    return took[3] / (double)items;
}
C
keeps 20 'the median of seven tries'
rewritten 20 'pointers' sum_array sum_list <<'C'
long sum_array(void *data)
{
    struct items items = *(struct items *)data;
    long sum = 0;

    while (items.count-- > 0)
        sum += items.at++->value;
    return sum;
}

static long sum_from(const struct item *item)
{
    long sum = 0;

    while (item != NULL) {
        sum += item->value;
        item = item->next;
    }
    return sum;
}

long sum_list(void *data)
{
    return sum_from(((struct items *)data)->first);
}
C
keeps 20 'pointers for numbers'
rewritten 20 'helper' look_up_all look_up_chained <<'C'
static uint64_t value_of(const struct table *table, uint64_t key)
{
    return find(table, key)->value;
}

long look_up_all(void *data)
{
    struct table *table = data;
    long sum = 0;

    for (const uint64_t *key = table->keys; key < table->keys + table->count; key++)
        sum += (long)value_of(table, *key);
    return sum;
}

long look_up_chained(void *data)
{
    struct table *table = data;
    uint64_t key = *table->keys;
    long left = table->count;

    while (left-- > 0)
        key = value_of(table, key);
    return (long)key;
}
C
keeps 20 'a look-up in a function of its own'
faulty 20 'two lines' 's/_Alignas\(64\) _Atomic long count;/_Alignas(128) _Atomic long count;\n    char rest[120];/'
keeps 20 'two lines for a tally'
