const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 34rem; margin: 4rem auto; padding: 0 1rem; }
  label, input, button { display: block; font: inherit; }
  input { width: 100%; box-sizing: border-box; padding: .5rem; margin: .25rem 0 1rem; }
  button { padding: .5rem 1rem; }`;

function page(nonce: string, { title, body, script }: { title: string; body: string; script?: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Carepost</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
${script === undefined ? '' : `<script nonce="${nonce}">${script}</script>`}
</body>
</html>
`;
}

/** Where / leads: until the dashboard's rooms are there, the ways to everything that is. */
export function homePage(nonce: string): string {
  return page(nonce, {
    title: 'Carepost',
    body: `<p>Carepost is running. Until its rooms open here, everything is reached by the
<a href="/docs">API</a> and by <code>npx carepost help</code> on the server.</p>`,
  });
}

// The token stands behind the #, which browsers send to no server; the script hands it over in a body.
const SETUP_SCRIPT = `
  const form = document.querySelector('form');
  const status = document.querySelector('[role=status]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = JSON.stringify({ token: location.hash.slice(1), password: form.password.value });
    const reply = await fetch('/app/api/setup', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (reply.ok) form.remove();
    status.textContent = reply.ok ? 'Your password is set.' : (await reply.json()).error;
  });`;

/** Where a setup link leads. */
export function setupPage(nonce: string): string {
  return page(nonce, {
    title: 'Set your password',
    body: `<form>
<label for="password">Password, at least 12 characters</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="256" required>
<button>Set password</button>
</form>
<p role="status"></p>`,
    script: SETUP_SCRIPT,
  });
}
