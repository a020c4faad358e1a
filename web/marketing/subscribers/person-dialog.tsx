import { type ReactNode, useState } from 'react';
import { type UseFormRegister, useForm } from 'react-hook-form';
import { call, type Reply } from '../../api/client.ts';
import { fieldProblem, isAbout } from '../../api/field-problem.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { useRead, useWrite } from '../../api/query.ts';
import { type Stored, useSaving } from '../../api/saving.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { OvertakenNotice } from '../../ui/overtaken-notice.tsx';
import { Loaded, Problem } from '../../ui/problem.tsx';
import { tell } from '../../ui/toast.tsx';
import { words as shared } from '../../words/shared.ts';
import { words } from '../../words/subscribers.ts';

type Person = Reply<'readSubscriber'>['data'];
type FieldType = Reply<'listCustomFieldTypes'>['data'][number];

interface Texts {
  email: string;
  phone_number: string;
  first_name: string;
  last_name: string;
  time_zone: string;
}

interface Values extends Texts {
  list: string;
  /** By the id of the field. */
  own: Record<string, string>;
}

/** Adds somebody. */
export function NewPersonDialog({ onClose }: { onClose(): void }) {
  const types = useRead('listCustomFieldTypes', {});
  return (
    <Dialog open wide onClose={onClose} title={words.addTitle} lead={words.addLead}>
      <Loaded read={types}>{({ data }) => <NewPerson types={data} onClose={onClose} />}</Loaded>
    </Dialog>
  );
}

/** Changes what is known of somebody. */
export function EditPersonDialog({ person, onClose }: { person: Person; onClose(): void }) {
  const types = useRead('listCustomFieldTypes', {});
  return (
    <Dialog open wide onClose={onClose} title={words.editTitle}>
      <Loaded read={types}>{({ data }) => <KnownPerson types={data} person={person} onClose={onClose} />}</Loaded>
    </Dialog>
  );
}

const STALE = ['searchSubscribers', 'readSubscriber', 'readSubscriberStory', 'listSubscriptionLists'] as const;
const NAMED = ['email', 'phone_number', 'first_name', 'last_name', 'time_zone'] as const;
const problemNames = (name: string) => [`subscriber.${name}`, name];

function NewPerson({ types, onClose }: { types: FieldType[]; onClose(): void }) {
  const [blank] = useState(() => valuesOf(types));
  const { register, handleSubmit } = useForm<Values>({ defaultValues: blank });
  const create = useWrite('createSubscriber', {
    stale: [...STALE],
    onDone({ data }) {
      tell(data.attributes.unsubscribed ? words.addedInVain : words.added);
      onClose();
    },
  });
  const save = handleSubmit((values) => {
    const { custom_fields, ...rest } = changeOf(types, values, blank);
    // Who is known already keeps what is left empty here: nobody has seen it.
    const filled = Object.fromEntries(Object.entries(rest).filter(([, text]) => text.trim() !== ''));
    const subscriber = { ...filled, custom_fields };
    create.mutate({ body: { subscriber, ...(values.list === '' ? {} : { subscription_list_id: values.list }) } });
  });
  return (
    <PersonForm
      types={types}
      register={register}
      listField={<ListField register={register} />}
      busy={create.isPending}
      problem={create.error}
      onSubmit={() => void save()}
      onCancel={onClose}
    />
  );
}

function KnownPerson({ types, person, onClose }: { types: FieldType[]; person: Person; onClose(): void }) {
  const [begun] = useState(() => storedOf(types, person));
  const { register, handleSubmit, getValues, reset } = useForm<Values>({ defaultValues: begun.draft });
  const params = { id: person.id };
  const { save, isSaving, problem, overtaken } = useSaving('updateSubscriber', {
    begun,
    read: async () => storedOf(types, (await call('readSubscriber', { params })).data),
    input: (values, { draft, updatedAt: if_updated_at }) => ({
      params,
      body: { subscriber: changeOf(types, values, draft), if_updated_at },
    }),
    stored: ({ data }) => storedOf(types, data),
    exchange(next) {
      const shown = structuredClone(getValues());
      reset(next);
      return shown;
    },
    stale: [...STALE],
    onSaved() {
      tell(words.changed);
      onClose();
    },
  });
  const submit = () => void handleSubmit((values) => save(values))();
  return (
    <PersonForm
      types={types}
      register={register}
      overtaken={<OvertakenNotice overtaken={overtaken} onSave={submit} />}
      busy={isSaving}
      problem={problem}
      onSubmit={submit}
      onCancel={onClose}
    />
  );
}

/** What is sent of somebody: of the fields of their own only those that are others by now. */
function changeOf(types: FieldType[], { list: _list, own, ...rest }: Values, before: Values) {
  const touched = types.filter(({ id }) => own[id] !== before.own[id]);
  return { ...rest, custom_fields: touched.map(({ id, attributes: { name } }) => ({ name, value: own[id] ?? '' })) };
}

interface PersonFormProps {
  types: FieldType[];
  register: UseFormRegister<Values>;
  listField?: ReactNode;
  overtaken?: ReactNode;
  busy: boolean;
  problem: ApiProblem | null;
  onSubmit(): void;
  onCancel(): void;
}

function PersonForm({
  types,
  register,
  listField,
  overtaken,
  busy,
  problem: error,
  onSubmit,
  onCancel,
}: PersonFormProps) {
  const problem = (name: string) => fieldProblem(error, ...problemNames(name));
  const isTold = error !== null && isAbout(error, ...NAMED.flatMap(problemNames));
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      noValidate
    >
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
        {listField}
        {types.map((type) => (
          <OwnField key={type.id} type={type} register={register} />
        ))}
      </div>
      {overtaken}
      {error !== null && !isTold && <Problem error={error} />}
      <Actions>
        <Button onClick={onCancel}>{shared.cancel}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {words.save}
        </Button>
      </Actions>
    </form>
  );
}

function storedOf(types: FieldType[], person: Person): Stored<Values> {
  return { draft: valuesOf(types, person), updatedAt: person.attributes.updated_at };
}

function valuesOf(types: FieldType[], person?: Person): Values {
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
