import type { Reply } from '../../../../api/client.ts';
import { useRead } from '../../../../api/query.ts';
import { useMay } from '../../../../session/session.ts';
import { HtmlFrame } from '../../../../ui/frame.tsx';
import { words } from '../../../../words/drips/panels.ts';

type Mailing = Reply<'readCampaignMailing'>['data']['attributes'];

/** A mailing as somebody would get it; whoever may not try it out sees it as it is written. */
export function MailPreview({ mailing }: { mailing: Mailing }) {
  const mayTry = useMay('editor');
  const { version: _version, created_at: _created, updated_at: _updated, ...campaign_mailing } = mailing;
  const tried = useRead('previewCampaignMailing', { body: { campaign_mailing } }, { enabled: mayTry });
  const html = tried.data?.data.html ?? mailing.html_part ?? '';
  const text = tried.data?.data.text ?? mailing.text_part ?? '';
  if (html !== '') {
    return <HtmlFrame title={words.preview} html={html} className="h-72 w-full rounded-md border bg-white" />;
  }
  return text === '' ? null : (
    <pre
      aria-label={words.preview}
      className="max-h-72 overflow-auto rounded-md border bg-sunken p-3 text-sm whitespace-pre-wrap"
    >
      {text}
    </pre>
  );
}
