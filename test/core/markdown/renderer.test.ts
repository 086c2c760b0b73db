import test from 'ava';
import { renderHtml } from '../../../shared/core/markdown/renderer.js';

// Contract: projects-4.description-html
test('Markdown becomes HTML, a plain line a paragraph', (t) => {
  t.is(renderHtml(''), '');
  t.is(renderHtml('Just words'), '<p dir="auto">Just words</p>');
  t.is(
    renderHtml('# A\n\n*b* ~~c~~ `d`'),
    '<h1 id="user-content-a" dir="auto">A<a class="anchor" href="#user-content-a" aria-hidden="true"></a></h1>\n<p dir="auto"><em>b</em> <s>c</s> <code>d</code></p>',
  );
  t.regex(renderHtml('|a|\n|-|\n|b|'), /<table>[^]*<td>b<\/td>/);
  t.regex(renderHtml('```js\nlet a;\n```'), /<pre><code class="language-js">let a;/);
});

test('columns of a table keep the side that they are aligned to', (t) => {
  const html = renderHtml('|a|b|c|\n|:-|:-:|-|\n|1|2|3|');
  t.regex(html, /<th align="left">a<\/th>\s*<th align="center">b<\/th>\s*<th>c<\/th>/);
  t.regex(html, /<td align="left">1<\/td>\s*<td align="center">2<\/td>/);
});

test('links to other places give nothing away, also those only written out', (t) => {
  const rel = 'rel="nofollow noreferrer noopener" target="_blank"';
  t.is(renderHtml('[a](https://b.example)'), `<p dir="auto"><a href="https://b.example" ${rel}>a</a></p>`);
  t.true(renderHtml('see https://b.example/c').includes(`<a href="https://b.example/c" ${rel}>`));
  t.is(renderHtml('[a](/b)'), '<p dir="auto"><a href="/b">a</a></p>');
});

const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '<iframe src="https://b.example"></iframe>',
  '<svg onload=alert(1)></svg>',
  '<style>*{display:none}</style>',
  '<form action="https://b.example"><input name=a></form>',
  '<p style="position:fixed">x</p>',
  '<object data="x"></object><embed src="x">',
  '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<img src="//b.example/a.png">',
  '<details open ontoggle=alert(1)>x</details>',
];

// Contract: projects-4.description-html
test('nothing in a text runs, loads a frame, styles the page or posts a form', (t) => {
  for (const attack of ATTACKS) {
    const html = renderHtml(attack);
    // An attack must be rendered as plain text: without any such tag or attribute.
    t.notRegex(html, /<(script|iframe|svg|style|form|input|object|embed|math|link|meta)\b/i, attack);
    t.notRegex(html, /<[^>]*\s(on\w+|style|formaction)\s*=/i, attack);
    t.notRegex(html, /(href|src)="?\s*(javascript|data|vbscript|\/\/)/i, attack);
  }
});

test('a text is rendered the same again and again', (t) => {
  const text = '**again**';
  t.is(renderHtml(text), renderHtml(text));
});
