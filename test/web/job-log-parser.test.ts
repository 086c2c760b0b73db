import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import test from 'ava';

/* How a log becomes lines: the module of the pages, read as the build reads it. */

interface TextStyle {
  foreground: number | null;
  background: number | null;
  bold: boolean;
  italic: boolean;
  underline: boolean;
}

interface LogSection {
  name: string;
  depth: number;
  start: number;
  end: number | null;
  collapsed: boolean;
}

interface LogLine {
  number: number | null;
  text: string;
  spans: { text: string; style: TextStyle }[];
  time: string | null;
  section: LogSection | null;
  heads: LogSection | null;
}

interface LogParser {
  lines: LogLine[];
  sections: LogSection[];
  push(text: string): void;
}

interface Modules {
  LogParser: new () => LogParser;
  splitLinks: (text: string) => { text: string; href: string | null }[];
  getTextColors: (style: TextStyle) => { color?: string; backgroundColor?: string };
}

type Run = <T>(file: string, options: object) => Promise<{ module: T }>;

const vite = createRequire(pathToFileURL('api/web/package.json')).resolve('vite');
const options = { root: 'api/web', configFile: false, logLevel: 'error' };

let modules: Promise<Modules> | undefined;
const load = (): Promise<Modules> =>
  (modules ??= (async () => {
    const { runnerImport } = (await import(pathToFileURL(vite).href)) as { runnerImport: Run };
    const read = async (name: string) =>
      (await runnerImport<Partial<Modules>>(`./features/ci/job-logs/${name}.ts`, options)).module;
    return Object.assign({}, ...(await Promise.all(['log-parser', 'links', 'palette'].map(read)))) as Modules;
  })());

/** The lines of a log that comes in pieces. */
async function read(...pieces: string[]): Promise<LogParser> {
  const parser = new (await load()).LogParser();
  for (const piece of pieces) parser.push(piece);
  return parser;
}

const texts = ({ lines }: LogParser) => lines.map(({ text }) => text);

const ESC = '\u001B';

// Contract: web.job-log
test('vector 65: markup, a title of the terminal and marks of sections leave text alone', async (t) => {
  const log = await read(
    `<script>alert(1)</script>\n${ESC}]0;owned\u0007after\n${ESC}]8;;javascript:alert(1)${ESC}\\link${ESC}]8;;${ESC}\\\n`,
    `section_start:100:build\r${ESC}[0KCompile\nmake\nsection_end:103:build\r${ESC}[0K`,
    `${ESC}[2J${ESC}[10;10Hmoved${ESC}P1$q${ESC}\\ ${ESC}(Bplain\u0007\u0085\n`,
  );
  t.deepEqual(texts(log), ['<script>alert(1)</script>', 'after', 'link', 'Compile', 'make', 'moved plain']);
  t.like(log.sections[0], { name: 'build', start: 100, end: 103, collapsed: false });
});

// Contract: web.job-log
test('colours and weights are those of a list, and go on over lines', async (t) => {
  const { lines } = await read(
    `${ESC}[31;1mred\nstill ${ESC}[0mplain ${ESC}[38;5;208mo${ESC}[48;5;17;4mb${ESC}[m${ESC}[38;2;1;2;3;5mtrue${ESC}[92mg`,
  );
  const styles = lines.flatMap(({ spans }) =>
    spans.map(({ text, style: { foreground, background, bold, underline } }) => ({
      text,
      foreground,
      background,
      bold,
      underline,
    })),
  );
  const plain = { foreground: null, background: null, bold: false, underline: false };
  t.deepEqual(styles, [
    { ...plain, text: 'red', foreground: 1, bold: true },
    { ...plain, text: 'still ', foreground: 1, bold: true },
    { ...plain, text: 'plain ' },
    { ...plain, text: 'o', foreground: 208 },
    { ...plain, text: 'b', foreground: 208, background: 17, underline: true },
    { ...plain, text: 'true' },
    { ...plain, text: 'g', foreground: 10 },
  ]);
});

// Contract: web.job-log
test('a carriage return writes over the line, and an erased one is begun anew', async (t) => {
  const log = await read(
    `10 %\r20 %\r100 %\n`,
    `abcdef\rxy\n`,
    `abcdef\rxy${ESC}[K\n`,
    `ab\b\bcd\n`,
    'line\r\n',
    `one${ESC}[2Ktwo\n`,
  );
  t.deepEqual(texts(log), ['100 %', 'xycdef', 'xy', 'cd', 'line', 'two']);
});

// Contract: web.job-log
test('NUL is shown as a replacement, and half an emoji at the border of pieces is none', async (t) => {
  const long = `${'x'.repeat(16_383)}😀y`;
  const log = await read('a\u0000b\n', long);
  t.is(log.lines[0]?.text, 'a\uFFFDb');
  t.deepEqual(
    log.lines.slice(1).map(({ text, number }) => [text.length, number]),
    [
      [16_383, 2],
      [3, null],
    ],
  );
});

// Contract: web.job-log
test('sections are nested, folded where the runner asks, and ended with what is in them', async (t) => {
  const log = await read(
    `section_start:10:a[collapsed=true]\r${ESC}[0KOuter\none\nsection_start:11:b\r${ESC}[0KInner\ntwo\n`,
    `section_end:15:a\r${ESC}[0Ksection_end:16:none\r${ESC}[0Kout\n`,
  );
  t.deepEqual(
    log.lines.map(({ text, section, heads, number }) => [number, text, section?.name ?? null, heads?.name ?? null]),
    [
      [1, 'Outer', null, 'a'],
      [2, 'one', 'a', null],
      [3, 'Inner', 'a', 'b'],
      [4, 'two', 'b', null],
      [5, 'out', null, null],
    ],
  );
  t.deepEqual(
    log.sections.map(({ name, depth, end, collapsed }) => [name, depth, end, collapsed]),
    [
      ['a', 0, 15, true],
      ['b', 1, 15, false],
    ],
  );
});

// Contract: web.job-log
test('times that the runner writes are no text, and a line in two pieces is one', async (t) => {
  const at = (second: number, mark: string) => `2030-01-31T09:30:0${second}.123456Z 00O${mark}`;
  const whole = `${at(1, ' ')}first\n${at(2, ' ')}sec\n${at(3, '+')}ond\n${at(4, ' ')}section_start:5:s\r${ESC}[0KHead\n`;
  for (const log of [await read(whole), await read(...whole)]) {
    t.deepEqual(texts(log), ['first', 'second', 'Head']);
    t.is(log.lines[1]?.time, '2030-01-31T09:30:02.123456Z');
    t.is(log.lines[2]?.heads?.name, 's');
  }
});

// Contract: web.job-log
test('a log is read alike, whatever pieces it comes in', async (t) => {
  const log = [
    `${ESC}[32mok${ESC}[0m\r\n`,
    `section_start:1:x\r${ESC}[0K${ESC}[1mHead\n`,
    `${ESC}]0;title\u0007${ESC}[33mwarn\n12\r34\n`,
    `section_end:4:x\r${ESC}[0K\nend`,
  ].join('');
  const whole = await read(log);
  t.deepEqual(await read(...log), whole);
  for (const size of [2, 3, 7, 11]) {
    const pieces = log.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    t.deepEqual((await read(...pieces)).lines, whole.lines);
  }
});

// Contract: web.job-log
test('an endless sequence swallows no more than a few thousand characters', async (t) => {
  const title = await read(`${ESC}]0;${'t'.repeat(20_000)}\nnext\n`);
  t.true((title.lines[0]?.text.length ?? 0) > 10_000);
  t.is(texts(title).at(-1), 'next');
  const control = await read(`${ESC}[${'1;'.repeat(5000)}`, 'x\nnext\n');
  t.is(texts(control).at(-1), 'next');
  const escapes = await read(ESC.repeat(100_000), '\nnext\n');
  t.is(texts(escapes).at(-1), 'next');
  t.true(escapes.lines.every(({ text }) => text === '' || text === 'next'));
});

// Contract: web.job-log
test('a line of 1 MiB is shown in parts of which none is long; a progress bar of 1 MiB is one line', async (t) => {
  const parser = await read();
  const piece = 'x'.repeat(64 * 1024);
  for (let index = 0; index < 16; index += 1) parser.push(piece);
  parser.push('\nnext\n');
  t.is(texts(parser).join('').length, 1024 * 1024 + 'next'.length);
  t.true(parser.lines.every(({ text }) => text.length <= 16_384));
  t.is(parser.lines.filter(({ number }) => number !== null).length, 2);
  const bar = await read();
  for (let index = 0; index < 50_000; index += 1) bar.push(`\r${index} of 50000 done`);
  t.deepEqual(texts(bar), ['49999 of 50000 done']);
});

// Contract: web.job-log
test('sections without end and without number stay bounded', async (t) => {
  const log = await read(`section_start:1:s\r${ESC}[0K`.repeat(1000), 'text\n');
  t.true(log.sections.every(({ depth }) => depth < 32));
  t.is(texts(log).at(-1), 'text');
  const early = await read(`section_end:1:s\r${ESC}[0Ktext\nsection_start:99999999999999:s\r\n`);
  t.is(early.lines[0]?.text, 'text');
});

// Contract: web.job-log
test('addresses of the web lead there, others are text', async (t) => {
  const { splitLinks } = await load();
  t.deepEqual(splitLinks('see https://example.com/a?b=1, or (http://x.test).'), [
    { text: 'see ', href: null },
    { text: 'https://example.com/a?b=1', href: 'https://example.com/a?b=1' },
    { text: ', or (', href: null },
    { text: 'http://x.test', href: 'http://x.test/' },
    { text: ').', href: null },
  ]);
  for (const text of ['javascript://x', 'https://bank.test@evil.test/', 'https://', 'file:///etc/passwd'])
    t.deepEqual(splitLinks(text), [{ text, href: null }]);
});

// Contract: web.job-log
test('each colour can be read on each ground', async (t) => {
  const { getTextColors } = await load();
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? [])
      .map((value) => Number(value) / 255)
      .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const style = { bold: false, italic: false, underline: false };
  let least = 21;
  for (let foreground = 0; foreground < 256; foreground += 1)
    for (const background of [null, ...Array.from({ length: 256 }, (_none, index) => index)]) {
      const { color = '', backgroundColor = 'rgb(22 25 29)' } = getTextColors({ ...style, foreground, background });
      const [one, other] = [luminance(color), luminance(backgroundColor)];
      least = Math.min(least, (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05));
    }
  t.true(least >= 4.5, String(least));
});
