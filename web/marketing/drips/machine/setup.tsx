import { Plus, UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Choice, Field, Input } from '../../../ui/field.tsx';
import { words } from '../../../words/drips/machine.ts';
import { useEditing } from '../editing.ts';
import { AssumedFields } from './assumed-fields.tsx';
import { ChooseDialog } from './choose-dialog.tsx';
import { InventedFields } from './invented-fields.tsx';
import { namesIn, type Wish } from './wish.ts';

const READINGS = ['nothing', 'opens', 'clicks'] as const;
const MOST = 50;

/** Whom the time machine leads through, from when, and what they are assumed to do. */
export function Setup({ wish, onChange }: { wish: Wish; onChange(wish: Wish): void }) {
  const { draft } = useEditing();
  const [isChoosing, setIsChoosing] = useState(false);
  const invent = () => {
    const name = words.inventedNames[wish.invented.length % words.inventedNames.length] ?? '';
    onChange({ ...wish, invented: [...wish.invented, { name, zone: draft.time_zone, fields: [] }] });
  };
  return (
    <div className="flex flex-col gap-4">
      {wish.invented.map((person, at) => (
        <InventedFields
          key={at}
          person={person}
          onChange={(next) => onChange({ ...wish, invented: wish.invented.with(at, next) })}
          onRemove={() => onChange({ ...wish, invented: wish.invented.toSpliced(at, 1), events: [] })}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button icon={UserPlus} disabled={wish.invented.length >= MOST} onClick={invent}>
          {words.addPerson}
        </Button>
        <Button icon={Users} onClick={() => setIsChoosing(true)}>
          {wish.chosen.length === 0 ? words.choosePeople : words.chosenCount(wish.chosen.length)}
        </Button>
      </div>
      <Field label={words.sample} hint={words.sampleHint}>
        <Input
          type="number"
          min={0}
          max={MOST}
          value={wish.sample}
          onChange={(event) =>
            onChange({ ...wish, sample: Math.min(MOST, Math.max(0, event.target.valueAsNumber || 0)), events: [] })
          }
        />
      </Field>
      <Choice
        legend={words.reading}
        value={wish.reading}
        options={READINGS.map((each) => ({ value: each, label: words.readings[each] }))}
        onChange={(reading) => onChange({ ...wish, reading })}
      />
      <Field label={words.startAt} hint={words.startAtHint}>
        <Input
          type="datetime-local"
          required
          value={wish.startAt}
          onChange={({ target: { value } }) => value !== '' && onChange({ ...wish, startAt: value })}
        />
      </Field>
      {wish.events.map((assumed, at) => (
        <AssumedFields
          key={at}
          assumed={assumed}
          people={namesIn(wish, words.sampled)}
          onChange={(next) => onChange({ ...wish, events: wish.events.with(at, next) })}
          onRemove={() => onChange({ ...wish, events: wish.events.toSpliced(at, 1) })}
        />
      ))}
      <div>
        <Button
          look="quiet"
          icon={Plus}
          onClick={() =>
            onChange({
              ...wish,
              events: [
                ...wish.events,
                { person: null, after: { days: 1 }, happening: { event: 'opened', campaign_mailing_id: '' } },
              ],
            })
          }
        >
          {words.addEvent}
        </Button>
      </div>
      {isChoosing && (
        <ChooseDialog
          chosen={wish.chosen}
          onClose={() => setIsChoosing(false)}
          onTake={(chosen) => {
            setIsChoosing(false);
            onChange({ ...wish, chosen, events: [] });
          }}
        />
      )}
    </div>
  );
}
