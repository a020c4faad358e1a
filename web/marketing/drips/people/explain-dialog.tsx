import { useState } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { words } from '../../../words/drips/people.ts';
import { type ChosenPerson, PersonPicker } from '../../mailings/person-picker.tsx';
import { Explanation } from './explanation.tsx';

/** Why somebody is in a campaign, or is not. */
export function ExplainDialog({ onClose }: { onClose(): void }) {
  const [person, setPerson] = useState<ChosenPerson | null>(null);
  if (person === null) return <PersonPicker onClose={onClose} onChoose={setPerson} />;
  return (
    <Dialog open onClose={onClose} title={words.whyNot} lead={person.name}>
      <Explanation subscriber={person.id} />
    </Dialog>
  );
}
