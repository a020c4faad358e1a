/** Whether a caller says something: clients send null or blank text for what shall stay as it is. */
export function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null && (typeof value !== 'string' || value.trim() !== '');
}
