// Puts a form of this server in the place of the script element that names it:
// <script src="https://HOST/embed.js" data-form="ID" async></script>
// It runs in pages of others and in old browsers: ES2018, no dependencies, nothing left in the global scope.
(() => {
  const script = document.currentScript;
  const { form, language, title } = script.dataset;
  if (!form) {
    console.error('Carepost: the script of a form says which one by data-form.');
    return;
  }

  const address = new URL(`f/${encodeURIComponent(form)}`, script.src);
  if (language) address.searchParams.set('language', language);

  const container = document.createElement('div');
  container.className = 'carepost-form';
  const frame = document.createElement('iframe');
  frame.src = address.href;
  frame.title = title || 'Form';
  frame.setAttribute(
    'sandbox',
    'allow-forms allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  );
  frame.setAttribute('loading', 'lazy');
  frame.referrerPolicy = 'no-referrer';
  Object.assign(frame.style, { display: 'block', width: '100%', height: '40rem', border: '0' });
  container.appendChild(frame);
  script.parentNode.replaceChild(container, script);

  const showTop = () => {
    if (container.getBoundingClientRect().top < 0) container.scrollIntoView();
  };
  const tell = (name, detail) => {
    container.dispatchEvent(new CustomEvent(`carepost:${name}`, { bubbles: true, detail }));
  };

  let isShown = false;
  // What is handed on is named one by one, so that nothing else of a message can reach the page around.
  const hear = {
    size({ height }) {
      if (!(height > 0 && height < 1e5)) return;
      frame.style.height = `${Math.ceil(height)}px`;
      tell('size', { height: Math.ceil(height) });
    },
    step(message) {
      if (isShown) showTop();
      isShown = true;
      tell('step', { form: String(message.form), step: Number(message.step), steps: Number(message.steps) });
    },
    submitted(message) {
      showTop();
      tell('submitted', { form: String(message.form) });
    },
  };

  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== address.origin || !data) return;
    if (Object.prototype.hasOwnProperty.call(hear, data.carepost)) hear[data.carepost](data);
  });
})();
