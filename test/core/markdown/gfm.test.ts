import test from 'ava';
import { renderHtml } from '../../../shared/core/markdown/renderer.js';

// Contract: markdown-1.gfm
test('items of task lists have boxes that nobody can tick', (t) => {
  t.is(
    renderHtml('- [ ] a\n- [x] b\n- [X] c\n- [~] d\n- [y] e\n- \\[ ] f'),
    [
      '<ul class="task-list" dir="auto">',
      '<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" aria-label="Task" disabled /> a</li>',
      '<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" aria-label="Task" disabled checked /> b</li>',
      '<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" aria-label="Task" disabled checked /> c</li>',
      '<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" aria-label="Task" disabled data-inapplicable /> d</li>',
      '<li>[y] e</li>',
      '<li>[ ] f</li>',
      '</ul>',
    ].join('\n'),
  );
  t.regex(renderHtml('1. [ ] a\n   - [x] b'), /<ol class="task-list"[^]*<ul class="task-list"/);
  t.false(renderHtml('[ ] a').includes('input'));
});

test('a footnote that is declared in another one stands beside it, and every tag that ends has begun', (t) => {
  t.is(renderHtml('[^1]: 1. [^1]: '), '');
  const html = renderHtml('a[^1] b[^2]\n\n[^1]: 1. one\n    [^2]: > two');
  t.is(html.match(/class="footnote-item"/g)?.length, 2);
  for (const tag of ['ol', 'li', 'blockquote', 'p'])
    t.is(html.match(new RegExp(`<${tag}[ >]`, 'g'))?.length, html.match(new RegExp(`</${tag}>`, 'g'))?.length, tag);
});

// Contract: markdown-1.gfm
test('footnotes lead there and back, by ids that no other text has', (t) => {
  const one = renderHtml('a[^1] b[^1]\n\n[^1]: note');
  const id = /href="#(fn-[0-9a-f]{8}-1)"/.exec(one)?.[1];
  t.true(one.includes(`<li id="${id}" class="footnote-item">`));
  t.false(renderHtml('b[^1]\n\n[^1]: note').includes(`${id}`));
  t.is(renderHtml('a[^1]'), '<p dir="auto">a[^1]</p>');
  // Surrounding HTML does not change it.
  t.is(
    renderHtml('<b>x</b> a[^1]\n\n[^1]: note').match(/footnote/g)?.length,
    renderHtml('a[^1]\n\n[^1]: note').match(/footnote/g)?.length,
  );
});

// Contract: markdown-1.gfm
test('formulas and diagrams stay text, marked for whoever draws them', (t) => {
  const formula = (style: string, text: string) => `<code class="code math" data-math-style="${style}">${text}</code>`;
  t.is(renderHtml('a $x<y$ b'), `<p dir="auto">a ${formula('inline', 'x&lt;y')} b</p>`);
  t.is(renderHtml('a $`x*y*`$ b'), `<p dir="auto">a ${formula('inline', 'x*y*')} b</p>`);
  t.is(renderHtml('$$x\ny$$'), `<p dir="auto">${formula('display', 'x\ny')}</p>`);
  for (const text of ['it costs $5 and $10', '$ a$', '$a $', '\\$a$', '$a\\$', '$', '$$', '$$$'])
    t.false(renderHtml(text).includes('math'), text);
  t.is(renderHtml('```math\na<b\n```'), '<pre><code class="language-math">a&lt;b\n</code></pre>');
  t.is(renderHtml('```mermaid\ngraph\n```'), '<pre><code class="language-mermaid">graph\n</code></pre>');
});

// Contract: markdown-1.gfm
test('headings have anchors, the second of a name another one', (t) => {
  const html = renderHtml('# The *first* `one`!\n\n## Ünder_score 2\n\n# The first one\n\n# ***');
  const ids = [...html.matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id);
  t.deepEqual(ids, ['user-content-the-first-one', 'user-content-ünder_score-2', 'user-content-the-first-one-1']);
  t.true(html.includes('<a class="anchor" href="#user-content-the-first-one" aria-hidden="true"></a></h1>'));
});

test('ids and classes of HTML are those of texts alone', (t) => {
  t.is(renderHtml('<h2 id="login" class="menu">a</h2>'), '<h2 id="user-content-login">a</h2>');
  t.is(
    renderHtml('<a id="x" class="gfm gfm-issue" href="/b">a</a>'),
    '<p dir="auto"><a id="user-content-x" href="/b">a</a></p>',
  );
  t.is(renderHtml('<input type="text" name="a"><input type="checkbox">'), '<p dir="auto"></p>');
});

// Contract: markdown-1.gfm
test('links that are only written out need a scheme or an at sign: files are no hosts', (t) => {
  t.true(renderHtml('see http://b.example/c.').includes('<a href="http://b.example/c"'));
  t.true(renderHtml('a@b.example').includes('<a href="mailto:a@b.example">'));
  t.is(renderHtml('README.md, build.sh'), '<p dir="auto">README.md, build.sh</p>');
});
