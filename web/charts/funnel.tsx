/** Steps of which each is a part of the first: sent, delivered, opened, clicked. */
export function Funnel({ steps }: { steps: readonly { name: string; value: number }[] }) {
  const whole = steps[0]?.value ?? 0;
  return (
    <ul className="flex flex-col gap-2">
      {steps.map(({ name, value }) => {
        const share = whole === 0 ? 0 : value / whole;
        return (
          <li key={name} className="grid grid-cols-[7rem_1fr_7rem] items-center gap-3 text-sm">
            <span>{name}</span>
            <span className="h-3 overflow-hidden rounded-full bg-sunken">
              <span className="block h-full bg-brand" style={{ width: `${share * 100}%` }} />
            </span>
            <span className="text-right tabular-nums">
              {value.toLocaleString('en')}{' '}
              <span className="text-soft">{(share * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
