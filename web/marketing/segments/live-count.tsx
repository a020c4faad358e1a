import { Link } from '@tanstack/react-router';
import { Notice } from '../../ui/badge.tsx';
import { Card } from '../../ui/page.tsx';
import { Loading } from '../../ui/problem.tsx';
import { words } from '../../words/segments.ts';
import type { LiveCount as Counting } from './use-live-count.ts';

/** How many fit right now, and a few of them. */
export function LiveCount({ counting, isWhole }: { counting: Counting; isWhole: boolean }) {
  return (
    <Card title={words.countTitle} className="lg:sticky lg:top-4">
      <div aria-live="polite" aria-busy={counting.isFetching}>
        {isWhole ? <Counted counting={counting} /> : <p className="text-sm text-soft">{words.unfinished}</p>}
      </div>
    </Card>
  );
}

function Counted({ counting: { data, error } }: { counting: Counting }) {
  if (error !== null) return <Notice tone="warn">{error.message}</Notice>;
  if (data === undefined) return <Loading />;
  const { count, complete, sample, rule } = data.data;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-xl font-semibold tabular-nums">{words.count(count, complete)}</p>
      {!complete && <p className="text-sm text-soft">{words.incomplete}</p>}
      {count === 0 ? (
        <p className="text-sm text-soft">{words.nobody}</p>
      ) : (
        <div>
          <p className="text-sm text-soft">{words.sample}</p>
          <ul className="mt-1 flex flex-col gap-1 text-sm">
            {sample.map(({ id, email, full_name: name }) => (
              <li key={id} className="min-w-0 truncate">
                <Link
                  to={`/marketing/subscribers/${id}`}
                  target="_blank"
                  className="text-brand underline-offset-2 hover:underline"
                >
                  {name === '' ? email : name}
                </Link>
                {name !== '' && <span className="text-soft"> {email}</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div>
        <p className="text-sm text-soft">{words.asWritten}</p>
        <p className="mt-1 rounded bg-sunken px-2 py-1.5 font-mono text-xs break-words">{rule}</p>
      </div>
    </div>
  );
}
