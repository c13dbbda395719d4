// The module fermiac_opencl.so: devices through OpenCL (The OpenCL Specification, version 1.2, chapters 4 and 5).
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plugins/opencl/device.h"

namespace fermiac {
namespace {

/// The numbers of cl.h that users meet.
std::string error_text(const char* call, cl_int code) {
  struct Row {
    cl_int code;
    const char* text;
  };
  static constexpr Row kRows[] = {{CL_DEVICE_NOT_FOUND, "no device found"},
                                  {CL_DEVICE_NOT_AVAILABLE, "the device is not available"},
                                  {CL_COMPILER_NOT_AVAILABLE, "the driver has no compiler"},
                                  {CL_MEM_OBJECT_ALLOCATION_FAILURE, "out of memory on the device"},
                                  {CL_OUT_OF_RESOURCES, "out of resources on the device"},
                                  {CL_OUT_OF_HOST_MEMORY, "out of memory"},
                                  {CL_BUILD_PROGRAM_FAILURE, "the program cannot be built"},
                                  {-1001, "no driver found"}};
  for (const Row& row : kRows)
    if (row.code == code) return row.text;
  return std::string(call) + " failed with error " + std::to_string(code);
}

Status status_of(const char* call, cl_int code) {
  if (code == CL_SUCCESS) return {};
  const bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY || code == CL_INVALID_BUFFER_SIZE;
  return {memory ? StatusCode::NoMemory : StatusCode::Failed, error_text(call, code)};
}

template <class Handle, cl_int (*Release)(Handle)>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle h) : handle_(h) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_) Release(handle_);
  }
  Handle get() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};

using Context = Owned<cl_context, clReleaseContext>;
using Program = Owned<cl_program, clReleaseProgram>;

struct Buffer final : DeviceBuffer {
  explicit Buffer(cl_mem m) : memory(m) {}
  Owned<cl_mem, clReleaseMemObject> memory;
};

struct BuiltKernel final : DeviceKernel {
  explicit BuiltKernel(cl_kernel k) : kernel(k) {}
  Owned<cl_kernel, clReleaseKernel> kernel;
};

struct BuiltProgram final : DeviceProgram {
  explicit BuiltProgram(Program p) : program(std::move(p)) {}
  std::string binary() const override {
    std::size_t size = 0;
    if (clGetProgramInfo(program.get(), CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS || size == 0) return {};
    std::string bytes(size, '\0');
    auto* to = reinterpret_cast<unsigned char*>(bytes.data());
    if (clGetProgramInfo(program.get(), CL_PROGRAM_BINARIES, sizeof to, &to, nullptr) != CL_SUCCESS) return {};
    return bytes;
  }
  Program program;
};

cl_mem memory_of(const DeviceBuffer& b) { return static_cast<const Buffer&>(b).memory.get(); }

class Queue final : public DeviceQueue {
 public:
  explicit Queue(cl_command_queue q) : queue_(q) {}
  Status write(DeviceBuffer& to, std::size_t byte, const void* from, std::size_t bytes) override {
    return status_of("clEnqueueWriteBuffer", clEnqueueWriteBuffer(queue_.get(), memory_of(to), CL_TRUE, byte, bytes, from, 0, nullptr, nullptr));
  }
  Status read(const DeviceBuffer& from, std::size_t byte, void* to, std::size_t bytes) override {
    return status_of("clEnqueueReadBuffer", clEnqueueReadBuffer(queue_.get(), memory_of(from), CL_TRUE, byte, bytes, to, 0, nullptr, nullptr));
  }
  Status launch(DeviceKernel& kernel, std::size_t items, std::size_t group) override {
    const cl_kernel k = static_cast<BuiltKernel&>(kernel).kernel.get();
    return status_of("clEnqueueNDRangeKernel", clEnqueueNDRangeKernel(queue_.get(), k, 1, nullptr, &items, &group, 0, nullptr, nullptr));
  }

 private:
  Owned<cl_command_queue, clReleaseCommandQueue> queue_;
};

template <class T>
T number(cl_device_id id, cl_device_info what) {
  T value{};
  clGetDeviceInfo(id, what, sizeof value, &value, nullptr);
  return value;
}

template <class Get>
std::string text(Get get) {
  std::size_t size = 0;
  if (get(std::size_t{0}, static_cast<void*>(nullptr), &size) != CL_SUCCESS || size < 2) return {};
  std::string out(size, '\0');
  get(size, static_cast<void*>(out.data()), static_cast<std::size_t*>(nullptr));
  out.resize(size - 1);
  return out;
}
std::string text(cl_device_id id, cl_device_info what) {
  return text([=](std::size_t n, void* to, std::size_t* size) { return clGetDeviceInfo(id, what, n, to, size); });
}
std::string text(cl_platform_id id, cl_platform_info what) {
  return text([=](std::size_t n, void* to, std::size_t* size) { return clGetPlatformInfo(id, what, n, to, size); });
}

DeviceInfo describe(cl_platform_id platform, cl_device_id id) {
  DeviceInfo d;
  d.platform_name = text(platform, CL_PLATFORM_NAME);
  d.name = text(id, CL_DEVICE_NAME);
  d.driver = text(id, CL_DRIVER_VERSION);
  d.version = text(id, CL_DEVICE_VERSION);
  const auto type = number<cl_device_type>(id, CL_DEVICE_TYPE);
  d.kind = type & CL_DEVICE_TYPE_GPU ? DeviceKind::Gpu : type & CL_DEVICE_TYPE_CPU ? DeviceKind::Cpu : DeviceKind::Other;
  d.doubles = number<cl_device_fp_config>(id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  d.available = number<cl_bool>(id, CL_DEVICE_AVAILABLE) && number<cl_bool>(id, CL_DEVICE_COMPILER_AVAILABLE);
  d.memory = number<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE);
  d.largest = number<cl_ulong>(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  d.units = number<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS);
  d.lanes = number<cl_uint>(id, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE);
  d.largest_group = static_cast<std::uint32_t>(number<std::size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  return d;
}

std::vector<cl_platform_id> platforms(cl_int* code) {
  cl_uint count = 0;
  *code = clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> all(*code == CL_SUCCESS ? count : 0);
  if (!all.empty()) *code = clGetPlatformIDs(count, all.data(), nullptr);
  return all;
}
std::vector<cl_device_id> devices(cl_platform_id platform) {
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_device_id> all(count);
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, all.data(), nullptr) != CL_SUCCESS) return {};
  return all;
}

class OpenClDevice final : public Device {
 public:
  OpenClDevice(cl_device_id id, Context context, DeviceInfo info) : id_(id), context_(std::move(context)), info_(std::move(info)) {}
  const DeviceInfo& info() const override { return info_; }

  Status buffer(std::size_t bytes, std::unique_ptr<DeviceBuffer>* out) override {
    cl_int code = CL_SUCCESS;
    const cl_mem m = clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, bytes, nullptr, &code);
    if (code == CL_SUCCESS) *out = std::make_unique<Buffer>(m);
    return status_of("clCreateBuffer", code);
  }

  Status build(const std::string& source, const std::string& binary, std::shared_ptr<DeviceProgram>* out) override {
    if (!binary.empty() && built(from_binary(binary), out)) return {};
    cl_int code = CL_SUCCESS;
    const char* lines = source.c_str();
    Program program(clCreateProgramWithSource(context_.get(), 1, &lines, nullptr, &code));
    if (code != CL_SUCCESS) return status_of("clCreateProgramWithSource", code);
    return built(std::move(program), out);
  }

  Status kernel(DeviceProgram& program, const char* name, std::span<const DeviceArgument> arguments,
                      std::unique_ptr<DeviceKernel>* out) override {
    cl_int code = CL_SUCCESS;
    auto made = std::make_unique<BuiltKernel>(clCreateKernel(static_cast<BuiltProgram&>(program).program.get(), name, &code));
    if (code != CL_SUCCESS) return status_of("clCreateKernel", code);
    for (cl_uint i = 0; i < arguments.size() && code == CL_SUCCESS; ++i) code = set(made->kernel.get(), i, arguments[i]);
    if (code == CL_SUCCESS) *out = std::move(made);
    return status_of("clSetKernelArg", code);
  }

  Status queue(std::unique_ptr<DeviceQueue>* out) override {
    cl_int code = CL_SUCCESS;
    const cl_command_queue q = clCreateCommandQueue(context_.get(), id_, 0, &code);
    if (code == CL_SUCCESS) *out = std::make_unique<Queue>(q);
    return status_of("clCreateCommandQueue", code);
  }

 private:
  static cl_int set(cl_kernel kernel, cl_uint i, const DeviceArgument& argument) {
    if (const auto* number = std::get_if<std::uint32_t>(&argument)) return clSetKernelArg(kernel, i, sizeof *number, number);
    const cl_mem memory = memory_of(*std::get<const DeviceBuffer*>(argument));
    return clSetKernelArg(kernel, i, sizeof memory, &memory);
  }
  Program from_binary(const std::string& binary) {
    cl_int code = CL_SUCCESS, taken = CL_SUCCESS;
    const std::size_t size = binary.size();
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
    Program program(clCreateProgramWithBinary(context_.get(), 1, &id_, &size, &bytes, &taken, &code));
    return code == CL_SUCCESS && taken == CL_SUCCESS ? std::move(program) : Program();
  }
  Status built(Program program, std::shared_ptr<DeviceProgram>* out) {
    if (!program.get()) return {StatusCode::Failed, "no program"};
    const cl_int code = clBuildProgram(program.get(), 1, &id_, "-cl-std=CL1.2", nullptr, nullptr);
    if (code == CL_SUCCESS) {
      *out = std::make_shared<BuiltProgram>(std::move(program));
      return {};
    }
    Status failed = status_of("clBuildProgram", code);
    failed.message += "\n" + text([&](std::size_t n, void* to, std::size_t* size) {
      return clGetProgramBuildInfo(program.get(), id_, CL_PROGRAM_BUILD_LOG, n, to, size);
    });
    return failed;
  }

  cl_device_id id_;
  Context context_;
  DeviceInfo info_;
};

void list(DeviceList* out) {
  cl_int code = CL_SUCCESS;
  const std::vector<cl_platform_id> all = platforms(&code);
  if (code != CL_SUCCESS) out->problem = error_text("clGetPlatformIDs", code);
  for (std::size_t p = 0; p < all.size(); ++p) {
    const std::vector<cl_device_id> ids = devices(all[p]);
    for (std::size_t d = 0; d < ids.size(); ++d) {
      out->devices.push_back(describe(all[p], ids[d]));
      out->devices.back().platform = static_cast<int>(p);
      out->devices.back().device = static_cast<int>(d);
    }
  }
}

Device* open(int platform, int device, std::string* problem) {
  cl_int code = CL_SUCCESS;
  const std::vector<cl_platform_id> all = platforms(&code);
  const auto p = static_cast<std::size_t>(platform), d = static_cast<std::size_t>(device);
  const std::vector<cl_device_id> ids = p < all.size() ? devices(all[p]) : std::vector<cl_device_id>();
  if (d >= ids.size()) return *problem = "the device is gone", nullptr;
  Context context(clCreateContext(nullptr, 1, &ids[d], nullptr, nullptr, &code));
  if (code != CL_SUCCESS) return *problem = error_text("clCreateContext", code), nullptr;
  DeviceInfo info = describe(all[p], ids[d]);
  info.platform = platform, info.device = device;
  return new OpenClDevice(ids[d], std::move(context), std::move(info));
}

}  // namespace
}  // namespace fermiac

extern "C" {

__attribute__((visibility("default"))) extern const int fermiac_device_interface = fermiac::kDeviceInterface;

__attribute__((visibility("default"))) void fermiac_list_devices(fermiac::DeviceList* out) { fermiac::list(out); }

__attribute__((visibility("default"))) fermiac::Device* fermiac_open_device(int platform, int device, std::string* problem) {
  return fermiac::open(platform, device, problem);
}

}  // extern "C"
