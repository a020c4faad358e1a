import { Check, UserSearch, X } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { Badge, Notice } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { words } from '../../words/segments.ts';
import { type ChosenPerson, PersonPicker } from '../mailings/person-picker.tsx';
import { comparisonLabel } from './comparisons.ts';
import { fieldNamed, nameOf, useRuleFields } from './fields.ts';

/** Why somebody is in a segment or not. */
export function ExplainCard({ id }: { id: string }) {
  const [person, setPerson] = useState<ChosenPerson | null>(null);
  const [isChoosing, setChoosing] = useState(false);
  const choose = (
    <Button icon={UserSearch} onClick={() => setChoosing(true)}>
      {person === null ? words.whyChoose : words.whyOther}
    </Button>
  );
  return (
    <Card title={words.why} lead={words.whyLead} actions={choose}>
      {person !== null && <SegmentExplanation segmentId={id} person={person} />}
      {isChoosing && (
        <PersonPicker
          onClose={() => setChoosing(false)}
          onChoose={(chosen) => {
            setPerson(chosen);
            setChoosing(false);
          }}
        />
      )}
    </Card>
  );
}

/** Which conditions of a segment hold for somebody. */
export function SegmentExplanation({ segmentId, person }: { segmentId: string; person: ChosenPerson }) {
  const read = useRead('explainDynamicList', { params: { id: segmentId }, query: { subscriber_id: person.id } });
  return (
    <Loaded read={read}>
      {({ data: { member, groups } }) => (
        <div className="flex flex-col gap-3">
          <Notice tone={member ? 'good' : 'info'}>
            {member ? words.isMember(person.name) : words.isNoMember(person.name)}
          </Notice>
          {groups.map((group, at) => (
            <Alternative
              key={`${at}-${group.conditions.length}`}
              number={groups.length === 1 ? null : at + 1}
              group={group}
            />
          ))}
        </div>
      )}
    </Loaded>
  );
}

type Explained = Reply<'explainDynamicList'>['data']['groups'][number];

function Alternative({ number, group }: { number: number | null; group: Explained }) {
  const { fields } = useRuleFields();
  return (
    <div>
      {number !== null && <h3 className="mb-1 text-sm font-medium">{words.whyGroup(number)}</h3>}
      <ul className="flex flex-col gap-1 text-sm">
        {group.conditions.map(({ field: name, op, holds }, at) => {
          const field = fieldNamed(fields, nameOf(name));
          return (
            <li key={`${at}-${name}`} className="flex flex-wrap items-center gap-2">
              <Badge tone={holds ? 'good' : 'bad'}>
                {holds ? <Check aria-hidden className="size-3" /> : <X aria-hidden className="size-3" />}
                {holds ? words.holds : words.holdsNot}
              </Badge>
              <span>
                {field.label}: {comparisonLabel(field.kind, op)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
