/** Whether a client has the version with this entity tag already (RFC 9110 13.1.2), weakly told or not. */
export function hasVersion(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(etag);
}

/**
 * Whether a range that is asked for belongs to the version with this entity tag (RFC 9110 13.1.5). A date never tells,
 * since none is given.
 */
export function isRangeOf(ifRange: string | string[] | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange === etag;
}
