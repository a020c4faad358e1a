import * as fc from 'fast-check';

const NAMES =
  `a b p div span h1 h2 ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr td th pre br hr img
  section fieldset legend label form button input select option textarea script style svg math mi mtext annotation-xml
  title template noscript iframe xmp plaintext object embed base meta link details dialog font center marquee frameset
  body html head foreignObject desc noembed noframes keygen isindex image listing nobr ruby rt A DIV ScRiPt x-y`.split(
    /\s+/,
  );
const ATTRIBUTES = [
  'id=carepost-form',
  'id="problems"',
  'class="question a"',
  'style="color:red;position:fixed"',
  "style='background:url(//evil.test)'",
  'name=first',
  'name="last"',
  'data-field=first',
  'for=x',
  'id=x',
  'href="javascript:alert(1)"',
  'href=https://example.com/?a=b&amp;c',
  'href="mailto:a@b.c"',
  'src=x onerror=alert(1)',
  'src="data:image/png;base64,AAAA"',
  'onclick="alert(1)"',
  'action=//evil.test',
  'formaction=//evil.test',
  'title="</div><script>alert(1)</script>"',
  "title='\"><img src=x onerror=alert(1)>'",
  'colspan=2',
  'dir=rtl',
  'x="',
  '/',
];
const TEXTS =
  `text  &#1; &#13; & &lt; &lt;script&gt; < > " ' \` &#x3c;img&#62; <!-- --> --!> <![CDATA[ ]]> <? ?> </ < </p </div
  </table> </form> </body> </html> <!doctype> \0 \r é 😀 javascript: =`.split(/\s+/);

const tag = fc
  .tuple(
    fc.constantFrom(...NAMES),
    fc.array(fc.constantFrom(...ATTRIBUTES), { maxLength: 3 }),
    fc.constantFrom('', '/'),
  )
  .map(([name, attributes, end]) => `<${[name, ...attributes].join(' ')}${end}>`);
const closing = fc.constantFrom(...NAMES).map((name) => `</${name}>`);
const text = fc.oneof(fc.constantFrom(...TEXTS, ' ', '\n'), fc.string({ maxLength: 5 }));

/** What a customer might write as HTML, or an attacker. */
export const anyMarkup = fc
  .array(fc.oneof({ weight: 4, arbitrary: tag }, { weight: 3, arbitrary: closing }, { weight: 2, arbitrary: text }), {
    maxLength: 30,
    size: 'max',
  })
  .map((parts) => parts.join(''));
