import { useMay, useSession } from '../../session/session.ts';
import { Notice } from '../../ui/badge.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Card } from '../../ui/page.tsx';
import { words } from '../../words/forms/share.ts';
import { type Form, FormFrame } from '../form/frame.tsx';
import { Access } from './access.tsx';
import { Links } from './links.tsx';
import { QrCode } from './qr-code.tsx';
import { VanityAddress } from './vanity-address.tsx';

/** How people get to a form, and who may fill it in. */
export function SharePage() {
  return <FormFrame>{(form) => <Share form={form} />}</FormFrame>;
}

function Share({ form }: { form: Form }) {
  const maySeeLinks = useMay('editor');
  const origin = (useSession()?.public_url ?? location.origin).replace(/\/$/, '');
  const name = form.vanity_url ?? form.id;
  const address = `${origin}/f/${name}`;
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        {!form.active && <Notice tone="warn">{words.unpublished}</Notice>}
        <Card title={words.link} lead={words.linkLead}>
          <div className="flex flex-col gap-4">
            <CopyText label={words.address} value={address} />
            <VanityAddress key={form.vanity_url} form={form} origin={origin} />
          </div>
        </Card>
        <QrCode address={address} name={name} />
        <Card title={words.embed} lead={words.embedLead}>
          <CopyText label={words.embedCode} value={embedCode(origin, name, form.title)} />
        </Card>
        {maySeeLinks && <Links formId={form.id} />}
      </div>
      <Access formId={form.id} />
    </div>
  );
}

function embedCode(origin: string, name: string, title: string): string {
  const safe = title.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<script src="${origin}/embed.js" data-form="${name}" data-title="${safe}" async></script>`;
}
