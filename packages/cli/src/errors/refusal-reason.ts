// What the operating system means by its error codes, in words for a person.

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EADDRINUSE: 'the port is in use',
  EMFILE: 'too many open files',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ETXTBSY: 'it is a running program',
  EIO: 'the device failed',
};

/** `ENOSPC` → `no space left on the device`; a code that is not known stays as it is. */
export function refusalReason(code: string | undefined): string {
  return (code === undefined ? undefined : reasons[code]) ?? code ?? 'for an unknown reason';
}
