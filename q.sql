create table a(k integer, v text);
create table b(k integer, w text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000)
    insert into a select (i * 7919) % 40000, 'v' || i from n;
insert into b select k, 'w' || k from a order by v;
create index b_k on b(k);
select count(*), sum(length(v) + length(w)) from a join b using(k);
