/** How far something has come, by a bar and in words. */
export function Progress({ label, done, of }: { label: string; done: number; of: number }) {
  const share = of === 0 ? 0 : Math.min(1, done / of);
  return (
    <div className="flex flex-col gap-1">
      <div className="flex justify-between text-sm">
        <span>{label}</span>
        <span className="text-soft tabular-nums">
          {done.toLocaleString('en')} / {of.toLocaleString('en')}
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
