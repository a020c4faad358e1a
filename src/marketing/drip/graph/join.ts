/** A step, or the end. */
export type Target = string | null;

/**
 * What stands after a fork in the same list: where its two ways meet first. Of ways that never meet it is the one
 * that comes to where the list goes on, or else the longer; where they are equally long, nothing.
 */
export function joinOf(
  [then, otherwise]: readonly [Target, Target],
  goesOn: Target,
  reach: (from: Target) => ReadonlySet<Target>,
): Target | undefined {
  const [one, other] = [reach(then), reach(otherwise)];
  const shared = [...one].filter((at) => other.has(at));
  if (shared.length > 0) return shared.find((at) => at !== goesOn) ?? goesOn;
  if (one.has(goesOn)) return then;
  if (other.has(goesOn)) return otherwise;
  if (one.size === other.size) return undefined;
  return one.size > other.size ? then : otherwise;
}
