// Signatures of the notebook's messages, and messages that are none.
#include <gtest/gtest.h>

#include <string>

#include "cli/jupyter/message.h"
#include "support/base/checksum.h"

namespace fermiac::jupyter {
namespace {

std::string hex(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) (out += kDigits[static_cast<unsigned char>(c) >> 4]) += kDigits[c & 15];
  return out;
}

TEST(Sha256, GivesThePublishedValues) {  // FIPS 180-4, and the NIST examples for lengths around a block
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256(std::string(1000000, 'a'))), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, SignsAsInRfc4231) {
  EXPECT_EQ(hmac_sha256_hex("Jefe", {"what do ya want ", "for nothing?"}), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac_sha256_hex(std::string(131, '\xaa'), {"Test Using Larger Than Block-Size Key - Hash Key First"}),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Messages, AreReadAsTheyWereWritten) {
  Writer writer("key");
  const Frames frames = writer.frames({"peer"}, "status", R"({"msg_id":"1"})", R"({"a":1})");
  const auto message = read_message(frames, "key");
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(message->type, "status");
  EXPECT_EQ(message->identities, Frames{"peer"});
  EXPECT_EQ(message->content.find("a")->number, 1);
  EXPECT_NE(writer.frames({}, "status", "", "{}")[2], writer.frames({}, "status", "", "{}")[2]);
}

TEST(Messages, WithoutTheRightSignatureAreNone) {
  Writer writer("key");
  Frames frames = writer.frames({}, "status", "", "{}");
  EXPECT_FALSE(read_message(frames, "other"));
  EXPECT_TRUE(read_message(frames, ""));
  frames.back() = R"({"more":1})";
  EXPECT_FALSE(read_message(frames, "key"));
}

TEST(Messages, OfTooFewFramesOrNoJsonAreNone) {
  EXPECT_FALSE(read_message({}, ""));
  EXPECT_FALSE(read_message({"a", "b"}, ""));
  EXPECT_FALSE(read_message({"<IDS|MSG>", "", "{}", "{}", "{}"}, ""));
  EXPECT_FALSE(read_message({"<IDS|MSG>", "", "{", "{}", "{}", "{}"}, ""));
  EXPECT_FALSE(read_message({"<IDS|MSG>", "", "{}", "{}", "{}", "]"}, ""));
}

}  // namespace
namespace {

Frames signed_message(const std::string& header, const std::string& content) {
  return {"client", "<IDS|MSG>", hmac_sha256_hex("key", {header, "{}", "{}", content}), header, "{}", "{}", content};
}

TEST(Message, ARecordedMessageIsKnown) {
  Signatures known;
  const Frames first = signed_message(R"({"msg_id":"1","msg_type":"execute_request"})", "{}"), second = signed_message(R"({"msg_id":"2","msg_type":"execute_request"})", "{}");
  EXPECT_TRUE(known.is_new(first));
  EXPECT_TRUE(known.is_new(second));
  EXPECT_FALSE(known.is_new(first));
  Frames other_client = second;
  other_client[0] = "somebody";
  EXPECT_FALSE(known.is_new(other_client));
  const Frames unsigned_frames = {"<IDS|MSG>", "", "{}", "{}", "{}", "{}"};
  EXPECT_TRUE(known.is_new(unsigned_frames));
  EXPECT_TRUE(known.is_new(unsigned_frames)) << "without a key nothing is signed";
}

TEST(Message, HalvesOfPairsAreNoErrors) {
  const auto code = [](const std::string& json) {
    const auto message = read_message(signed_message(R"({"msg_type":"execute_request"})", "{\"code\":\"" + json + "\"}"), "key");
    return message ? message->content.find("code")->string : "none";
  };
  EXPECT_EQ(code(R"(a\ud800b)"), "a\ufffdb");
  EXPECT_EQ(code(R"(\udc00)"), "\ufffd");
  EXPECT_EQ(code(R"(\ud83d\ude00)"), "\U0001f600");
  EXPECT_EQ(code(R"(\ud83d\ud83d\ude00\ud83d)"), "\ufffd\U0001f600\ufffd");
  EXPECT_EQ(code(R"(\\ud800)"), "\\ud800") << "an escaped backslash";
  EXPECT_EQ(code(R"(\uDBFF\n)"), "\ufffd\n");
}

}  // namespace
}  // namespace fermiac::jupyter
