interface ProgressProps {
  label: string;
  done: number;
  of: number;
  /** How a number of it is written. */
  write?(number: number): string;
}

/** How far something has come, by a bar and in words. */
export function Progress({ label, done, of, write = (number) => number.toLocaleString('en') }: ProgressProps) {
  const share = of === 0 ? 0 : Math.min(1, done / of);
  return (
    <div className="flex flex-col gap-1">
      <div className="flex justify-between text-sm">
        <span>{label}</span>
        <span className="text-soft tabular-nums">
          {write(done)} / {write(of)}
        </span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        className="h-2 overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full bg-brand transition-[width]" style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}
