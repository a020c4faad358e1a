/**
 * PostgreSQL refuses to run as root, and another user could not enter a folder like root's home: in
 * a user namespace root is seen as an ordinary user and still owns its files.
 */
export function asOrdinaryUser(command: string[]): string[] {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return command;
  return ['unshare', '--user', '--map-user=1000', '--map-group=1000', ...command];
}
