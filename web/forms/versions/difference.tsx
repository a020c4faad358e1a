import { useRead } from '../../api/query.ts';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/forms/versions.ts';

/** What changed from one version of a form to another, in sentences. */
export function Difference({ formId, from, to }: { formId: string; from: number; to: number }) {
  const read = useRead('diffFormVersions', { params: { id: formId }, query: { from: String(from), to: String(to) } });
  return (
    <section aria-label={words.changes}>
      <h3 className="mb-2 text-sm font-semibold">{words.changes}</h3>
      <Loaded read={read}>
        {({ changes }) =>
          changes.length === 0 ? (
            <p className="text-sm text-soft">{words.nothing}</p>
          ) : (
            <ul className="flex flex-col divide-y">
              {changes.map((change, at) => (
                // Two changes of one question may read the same.
                <li key={`${change.item}-${change.change}-${at}`} className="py-2.5">
                  <p>{change.sentence}</p>
                  {(change.before !== null || change.after !== null) && (
                    <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 text-sm">
                      {change.before !== null && <Side label={words.before} text={change.before} look="text-bad" />}
                      {change.after !== null && <Side label={words.after} text={change.after} look="text-good" />}
                    </dl>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function Side({ label, text, look }: { label: string; text: string; look: string }) {
  return (
    <>
      <dt className="text-soft">{label}</dt>
      <dd className={`min-w-0 break-words ${look}`}>{text}</dd>
    </>
  );
}
