// stacks.cc: two vectors of one function, and one behind a function of a class, for stacks.t.
#include <cstddef>
#include <functional>
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
    return 0;
}
