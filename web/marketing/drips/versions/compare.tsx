import { useState } from 'react';
import { useRead } from '../../../api/query.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { Loaded } from '../../../ui/problem.tsx';
import { words as steps } from '../../../words/drips/steps.ts';
import { words } from '../../../words/drips/versions.ts';
import { Canvas } from '../canvas/canvas.tsx';
import { useEditing } from '../editing.ts';
import { type Difference, differencesOf } from '../model/differences.ts';
import { entryInWords, stepInWords } from '../model/in-words.ts';
import type { Step } from '../model/step.ts';
import { readSteps } from '../model/wire-steps.ts';
import type { Version } from './page.tsx';

const TONES: Record<Difference['what'], Tone> = { added: 'good', removed: 'bad', changed: 'warn', moved: 'info' };
const NO_PROBLEMS = new Map<string, string>();

/** One version on a canvas, and how it differs from another. */
export function Compare({ version, versions }: { version: number; versions: readonly Version[] }) {
  const { drip, draft, names } = useEditing();
  const others = versions.filter((each) => each.version !== version);
  const [other, setOther] = useState(others.find((each) => each.version < version)?.version ?? null);
  const read = useRead('readDripCampaignVersion', { params: { id: drip.id, version } });
  const before = useRead(
    'readDripCampaignVersion',
    { params: { id: drip.id, version: other ?? version } },
    { enabled: other !== null },
  );
  return (
    <Card title={words.compareTitle(version)}>
      <Loaded read={read}>
        {({ data }) => {
          const now = readSteps(data.steps);
          const foot = (id: string) =>
            differenceFoot(
              before.data && other !== null ? differencesOf(readSteps(before.data.data.steps), now) : [],
              id,
            );
          return (
            <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
              <Canvas
                label={words.canvas}
                steps={now}
                names={names}
                entry={entryInWords(draft, names)}
                problems={NO_PROBLEMS}
                selected={null}
                onSelect={null}
                editing={null}
                foot={foot}
              />
              <div className="flex flex-col gap-3">
                <Field label={words.compareWith}>
                  <Select
                    value={other ?? ''}
                    onChange={({ target: { value } }) => setOther(value === '' ? null : Number(value))}
                  >
                    <option value="">{words.nothingBefore}</option>
                    {others.map((each) => (
                      <option key={each.version} value={each.version}>
                        {words.number(each.version)}
                      </option>
                    ))}
                  </Select>
                </Field>
                {other !== null && (
                  <Loaded read={before}>
                    {(earlier) => <Differences before={readSteps(earlier.data.steps)} after={now} />}
                  </Loaded>
                )}
              </div>
            </div>
          );
        }}
      </Loaded>
    </Card>
  );
}

function differenceFoot(differences: readonly Difference[], id: string) {
  const found = differences.find(({ step }) => step.id === id);
  return found === undefined ? null : <Badge tone={TONES[found.what]}>{words.what[found.what]}</Badge>;
}

function Differences({ before, after }: { before: Step[]; after: Step[] }) {
  const { names } = useEditing();
  const found = differencesOf(before, after);
  const line = (step: Step) => `${steps.kinds[step.type]}: ${stepInWords(step, names)}`;
  if (found.length === 0) return <p className="text-sm text-soft">{words.noDifference}</p>;
  return (
    <ul aria-label={words.differences} className="flex flex-col gap-3">
      {found.map((difference) => (
        <li key={`${difference.what}/${difference.step.id}`} className="flex flex-col items-start gap-1 text-sm">
          <Badge tone={TONES[difference.what]}>{words.what[difference.what]}</Badge>
          <span>{line(difference.step)}</span>
          {difference.what === 'changed' && <span className="text-soft">{words.before(line(difference.before))}</span>}
        </li>
      ))}
    </ul>
  );
}
