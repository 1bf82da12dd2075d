class Envsnap < Formula
  desc "Capture a machine's environment and compare it with another"
  homepage "https://github.com/envsnap/envsnap"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "https://github.com/envsnap/envsnap/releases/download/v@VERSION@/envsnap-darwin-arm64.tar.gz"
      sha256 "@SHA256 envsnap-darwin-arm64.tar.gz@"
    end
    on_intel do
      url "https://github.com/envsnap/envsnap/releases/download/v@VERSION@/envsnap-darwin-x64.tar.gz"
      sha256 "@SHA256 envsnap-darwin-x64.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/envsnap/envsnap/releases/download/v@VERSION@/envsnap-linux-arm64.tar.gz"
      sha256 "@SHA256 envsnap-linux-arm64.tar.gz@"
    end
    on_intel do
      url "https://github.com/envsnap/envsnap/releases/download/v@VERSION@/envsnap-linux-x64.tar.gz"
      sha256 "@SHA256 envsnap-linux-x64.tar.gz@"
    end
  end

  def install
    bin.install "envsnap"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/envsnap --version")
  end
end
