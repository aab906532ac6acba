// stacks.cc: two vectors of one function, two of a helper that may be expanded, one behind a function of
// a class, and a hash table, for stacks.t.
#include <array>
#include <cstddef>
#include <functional>
#include <unordered_map>
#include <vector>

enum { PAGE = 4096 };

namespace shapes {
struct mesh {
    std::vector<char> points;
    __attribute__((noinline)) void resize(int pages)
    {
        points.resize((std::size_t)pages * PAGE);
    }
};
} // namespace shapes

static __attribute__((noinline)) void write_pages(std::vector<char> &v)
{
    for (std::size_t i = 0; i < v.size(); i += PAGE)
        ((volatile char *)v.data())[i] = 1;
}

static std::vector<char> filled(int pages)
{
    return std::vector<char>((std::size_t)pages * PAGE);
}

int main()
{
    std::vector<char> first(4000 * PAGE);
    std::vector<char> second(5000 * PAGE);
    shapes::mesh mesh;
    mesh.resize(6000);
    // The library's function calls this one, which is expanded there.
    std::vector<char> *later = nullptr;
    std::function<void()> take = [&later] { later = new std::vector<char>(7000 * PAGE); };
    take();
    write_pages(*later);
    write_pages(first);
    write_pages(second);
    write_pages(mesh.points);
    std::vector<char> third = filled(8000);
    std::vector<char> fourth = filled(9000);
    write_pages(third);
    write_pages(fourth);
    // 2^22 buckets, which are cleared, on 8192 pages; 6000 nodes of a page and 16 bytes, in order, of which
    // the last 3072 pages are still in the TLB when all are freed.
    std::unordered_map<std::size_t, std::array<char, PAGE>> map;
    map.reserve(1 << 21);
    for (std::size_t i = 0; i < 6000; i++)
        map[i][0] = 1;
    return 0;
}
