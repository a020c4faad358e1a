/** The parts of the path of an address, as the router reads it: doubled slashes and one at the end do not count. */
export function pathParts(url: string): string[] {
  const [path = ''] = url.split(/[?#]/, 1);
  return path.split('/').flatMap((part) => (part === '' ? [] : [decoded(part)]));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
