/**
 * Whether a file of tests is left to `npm run test:all`: it takes longer than 6 seconds of a whole run, and is none of those that
 * guard what must never break unnoticed (accepting, the walls between customers, signing in, the first day in a browser).
 */
export function isLong(file: string): boolean {
  return file.endsWith('.long.test.ts');
}
