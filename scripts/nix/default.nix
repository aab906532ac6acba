# A recipe for Nix: nix-build scripts/nix
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "tlblab";
  version = "0.1.0";
  src = ../..;
  nativeBuildInputs = [ pkgs.pkg-config ];
  buildInputs = [ pkgs.hwloc pkgs.json_c pkgs.zstd pkgs.libmd ]
    ++ pkgs.lib.optionals pkgs.stdenv.isLinux [ pkgs.elfutils pkgs.libpfm pkgs.numactl ];
  makeFlags = [ "PREFIX=${placeholder "out"}" ];
  postPatch = "patchShebangs scripts";
  enableParallelBuilding = true;
  meta = {
    description = "Measures TLBs and caches by the time of loads";
    license = pkgs.lib.licenses.isc;
    platforms = pkgs.lib.platforms.unix;
    mainProgram = "tlblab";
  };
}
