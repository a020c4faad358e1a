import { COLOURS } from './series.ts';

/** Which colour is which series. */
export function Legend({ names }: { names: readonly string[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 pt-1 text-xs text-soft">
      {names.map((name, at) => (
        <li key={name} className="flex items-center gap-1.5">
          <span className="inline-block size-2.5 rounded-sm" style={{ background: COLOURS[at % COLOURS.length] }} />
          {name}
        </li>
      ))}
    </ul>
  );
}
