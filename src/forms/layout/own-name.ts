const MARK = 'layout-';

/** A name of the customer's (an id, an animation) that can be none of ours. */
export function ownName(name: string): string {
  return name.startsWith(MARK) ? name : MARK + name;
}
