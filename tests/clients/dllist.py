"""What BridgeStan's client asks of the package dllist: the shared objects this process has mapped."""


def dllist():
    with open("/proc/self/maps") as maps:
        return sorted({fields[5].strip() for fields in (line.split(None, 5) for line in maps) if len(fields) == 6 and ".so" in fields[5]})
