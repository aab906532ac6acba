# A recipe for Homebrew: brew install --HEAD scripts/homebrew/tlblab.rb builds the clone that it is in.
# Nobody has run it on a Mac yet.
class Tlblab < Formula
  desc "Measures TLBs and caches by the time of loads"
  head File.expand_path("../..", __dir__), using: :git, branch: "main"
  license "ISC"

  depends_on "pkg-config" => :build
  depends_on "gnuplot"
  depends_on "hwloc"
  depends_on "json-c"
  depends_on "libmd"
  depends_on "zstd"

  def install
    system "make", "install", "PREFIX=#{prefix}"
  end

  test do
    system bin/"tlblab", "detect", pkgshare/"machines/amd-zen5-guest/quiet-2.tsv"
  end
end
