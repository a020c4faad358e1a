import { useState } from 'react';
import type { Reply } from '../../../api/client.ts';
import { useRead, useWrite } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Loaded, Problem } from '../../../ui/problem.tsx';
import { tell } from '../../../ui/toast.tsx';
import { words as stepWords } from '../../../words/drips/steps.ts';
import { words } from '../../../words/drips/versions.ts';
import { words as shared } from '../../../words/shared.ts';
import { STALE } from '../actions/stale.ts';
import { useEditing } from '../editing.ts';
import { stepInWords } from '../model/in-words.ts';
import type { Step } from '../model/step.ts';
import { standingsOf } from '../model/tree.ts';
import { readSteps } from '../model/wire-steps.ts';
import { NamedSelect } from '../steps/parts/named-select.tsx';
import type { Version } from './page.tsx';

interface MoveDialogProps {
  version: number;
  versions: readonly Version[];
  onClose(): void;
}

/** Lets people of an older version go on by this one; for steps that are gone, asks where. */
export function MoveDialog({ version, versions, onClose }: MoveDialogProps) {
  const { drip } = useEditing();
  const older = versions.filter((each) => each.version < version && each.waiting > 0);
  const [from, setFrom] = useState(older[0]?.version ?? 0);
  const params = { id: drip.id };
  const counts = useRead('readDripStatistics', { params, query: { version: String(from) } });
  const to = useRead('readDripCampaignVersion', { params: { ...params, version } });
  const [places, setPlaces] = useState<Record<string, string>>({});
  const move = useWrite('moveDripCampaign', {
    stale: [...STALE, 'listBulkJobs'],
    onDone: () => {
      tell(words.moving);
      onClose();
    },
  });
  const target = standingsOf(readSteps(to.data?.data.steps ?? [])).map(({ step }) => step);
  const lost = lostAmong(counts.data?.data.steps ?? [], target);
  const steps = Object.fromEntries(lost.map(({ step }) => [step, places[step] ?? '']));
  const isReady =
    to.data !== undefined && counts.data !== undefined && lost.every(({ step }) => (places[step] ?? '') !== '');
  return (
    <Dialog open onClose={onClose} title={words.moveTitle(version)} lead={words.moveLead}>
      <Field label={words.from}>
        <Select value={from} onChange={(event) => setFrom(Number(event.target.value))}>
          {older.map((each) => (
            <option key={each.version} value={each.version}>
              {words.fromVersion(each.version, each.waiting)}
            </option>
          ))}
        </Select>
      </Field>
      <Loaded read={counts}>
        {() => (
          <>
            {lost.map(({ step, waiting }) => (
              <PlaceSelect
                key={step}
                label={words.standsAt(step, waiting ?? 0)}
                steps={target}
                value={places[step] ?? ''}
                onChange={(place) => setPlaces({ ...places, [step]: place })}
              />
            ))}
          </>
        )}
      </Loaded>
      {move.error !== null && <Problem error={move.error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button
          look="primary"
          disabled={!isReady}
          busy={move.isPending}
          onClick={() => move.mutate({ params, body: { from_version: from, to_version: version, steps } })}
        >
          {words.moveNow}
        </Button>
      </Actions>
    </Dialog>
  );
}

type Counted = Reply<'readDripStatistics'>['data']['steps'][number];

/** The steps at which people stand, and which the newer version does not have. */
function lostAmong(counted: readonly Counted[], target: readonly Step[]): Counted[] {
  const types = new Map(target.map(({ id, type }) => [id, type as string]));
  return counted.filter(({ step, type, waiting }) => (waiting ?? 1) > 0 && types.get(step) !== type);
}

function PlaceSelect({
  label,
  steps,
  value,
  onChange,
}: {
  label: string;
  steps: readonly Step[];
  value: string;
  onChange(id: string): void;
}) {
  const { names } = useEditing();
  const options = steps
    .filter(({ type }) => type !== 'goto')
    .map((step) => ({ id: step.id, name: `${stepWords.kinds[step.type]}: ${stepInWords(step, names)}` }));
  return <NamedSelect label={label} value={value} options={options} onChange={onChange} />;
}
