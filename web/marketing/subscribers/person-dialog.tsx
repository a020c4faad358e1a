import { useState } from 'react';
import { type UseFormRegister, useForm } from 'react-hook-form';
import type { Reply } from '../../api/client.ts';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { Loaded, Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words as shared } from '../../words/shared.ts';
import { words } from '../../words/subscribers.ts';

type Person = Reply<'readSubscriber'>['data'];
type FieldType = Reply<'listCustomFieldTypes'>['data'][number];

interface Values {
  email: string;
  phone_number: string;
  first_name: string;
  last_name: string;
  time_zone: string;
  list: string;
  /** By the id of the field. */
  own: Record<string, string>;
}

/** Adds somebody, or changes what is known of them. */
export function PersonDialog({ person, onClose }: { person?: Person; onClose(): void }) {
  const types = useRead('listCustomFieldTypes', {});
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={person === undefined ? words.addTitle : words.editTitle}
      {...(person === undefined && { lead: words.addLead })}
    >
      <Loaded read={types}>{({ data }) => <PersonForm types={data} person={person} onClose={onClose} />}</Loaded>
    </Dialog>
  );
}

const STALE = ['searchSubscribers', 'readSubscriber', 'readSubscriberStory', 'listSubscriptionLists'] as const;
const NAMED = ['email', 'phone_number', 'first_name', 'last_name', 'time_zone'] as const;
const problemNames = (name: string) => [`subscriber.${name}`, name];

function PersonForm({ types, person, onClose }: { types: FieldType[]; person: Person | undefined; onClose(): void }) {
  const [before] = useState(() => valuesOf(types, person));
  const { register, handleSubmit } = useForm<Values>({ defaultValues: before });
  const saved = (text: string) => {
    tell(text);
    onClose();
  };
  const create = useWrite('createSubscriber', {
    stale: [...STALE],
    onDone: ({ data }) => saved(data.attributes.unsubscribed ? words.addedInVain : words.added),
  });
  const update = useWrite('updateSubscriber', { stale: [...STALE], onDone: () => saved(words.changed) });
  const { error, isPending } = person === undefined ? create : update;
  const save = handleSubmit(({ list, own, ...rest }) => {
    const touched = types.filter(({ id }) => own[id] !== before.own[id]);
    const custom_fields = touched.map(({ id, attributes: { name } }) => ({ name, value: own[id] ?? '' }));
    if (person !== undefined) {
      update.mutate({ params: { id: person.id }, body: { subscriber: { ...rest, custom_fields } } });
      return;
    }
    // Who is known already keeps what is left empty here: nobody has seen it.
    const filled = Object.fromEntries(Object.entries(rest).filter(([, text]) => text.trim() !== ''));
    const subscriber = { ...filled, custom_fields };
    create.mutate({ body: { subscriber, ...(list === '' ? {} : { subscription_list_id: list }) } });
  });
  const problem = (name: string) => fieldProblem(error, ...problemNames(name));
  const isTold = error !== null && isAbout(error, ...NAMED.flatMap(problemNames));
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void save(event)} noValidate>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label={words.firstName} problem={problem('first_name')}>
          <Input autoComplete="off" {...register('first_name')} />
        </Field>
        <Field label={words.lastName} problem={problem('last_name')}>
          <Input autoComplete="off" {...register('last_name')} />
        </Field>
        <Field label={words.email} problem={problem('email')}>
          <Input type="email" autoComplete="off" {...register('email')} />
        </Field>
        <Field label={words.phone} hint={words.phoneHint} problem={problem('phone_number')}>
          <Input type="tel" autoComplete="off" {...register('phone_number')} />
        </Field>
        <Field label={words.timeZone} hint={words.timeZoneHint} problem={problem('time_zone')}>
          <Input autoComplete="off" {...register('time_zone')} />
        </Field>
        {person === undefined && <ListField register={register} />}
        {types.map((type) => (
          <OwnField key={type.id} type={type} register={register} />
        ))}
      </div>
      {error !== null && !isTold && <Problem error={error} />}
      <Actions>
        <Button onClick={onClose}>{shared.cancel}</Button>
        <Button type="submit" look="primary" busy={isPending}>
          {words.save}
        </Button>
      </Actions>
    </form>
  );
}

function valuesOf(types: FieldType[], person: Person | undefined): Values {
  const known = new Map(
    person?.attributes.custom_fields?.map((each) => [each.subscriber_custom_field_type_id, each.custom_field_value]),
  );
  return {
    email: person?.attributes.email ?? '',
    phone_number: person?.attributes.phone_number ?? '',
    first_name: person?.attributes.first_name ?? '',
    last_name: person?.attributes.last_name ?? '',
    time_zone: person?.attributes.time_zone ?? '',
    list: '',
    own: Object.fromEntries(types.map(({ id }) => [id, known.get(id) ?? ''])),
  };
}

function ListField({ register }: { register: UseFormRegister<Values> }) {
  const lists = useRead('listSubscriptionLists', { query: { order_by: 'name', order: 'asc' } });
  return (
    <Field label={words.toList}>
      <Select {...register('list')}>
        <option value="">{words.noList}</option>
        {lists.data?.data
          .filter(({ attributes }) => !attributes.is_default)
          .map(({ id, attributes: { name } }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </Select>
    </Field>
  );
}

function OwnField({ type: { id, attributes }, register }: { type: FieldType; register: UseFormRegister<Values> }) {
  const { name, kind, class: given } = attributes;
  const control = register(`own.${id}`);
  return (
    <Field label={name} {...(given === 'phi' && { hint: <Badge tone="info">{words.healthField}</Badge> })}>
      {kind === 'yes_no' ? (
        <Select {...control}>
          <option value="" />
          <option value="true">{shared.yes}</option>
          <option value="false">{shared.no}</option>
        </Select>
      ) : (
        <Input type={kind} step="any" autoComplete="off" {...control} />
      )}
    </Field>
  );
}
