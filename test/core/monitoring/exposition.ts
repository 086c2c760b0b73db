/** One line of Prometheus' text format. */
interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Metric {
  type: string;
  help: string;
  samples: Sample[];
}

const HEADER = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];

function labelsIn(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name, value] = LABEL.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new Error(`These are no labels: ${text}`);
    if (name in labels) throw new Error(`A label stands twice: ${text}`);
    labels[name] = value;
  }
  return labels;
}

const getNumber = (text: string) => Number(text.replace('Inf', 'Infinity'));

/**
 * Reads Prometheus' text format 0.0.4 as its parser does: samples below the header of their metric, no sample twice.
 * @throws Error at the first line that is wrong
 */
export function readExposition(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>();
  const series = new Set<string>();
  let metric: (Metric & { name: string }) | undefined;
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, kind, headed = '', rest = ''] = HEADER.exec(line) ?? [];
    if (kind === 'HELP') {
      if (metrics.has(headed)) throw new Error(`${headed} stands twice.`);
      metric = { name: headed, help: rest, type: '', samples: [] };
      metrics.set(headed, metric);
    } else if (kind === 'TYPE') {
      if (metric?.name !== headed || !TYPES.includes(rest)) throw new Error(`This is no type: ${line}`);
      metric.type = rest;
    } else {
      const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
      const suffixes = metric?.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      if (!metric || !suffixes.some((suffix) => name === metric?.name + suffix))
        throw new Error(`This belongs to no metric: ${line}`);
      if (series.has(`${name}{${labels}}`)) throw new Error(`This stands twice: ${line}`);
      series.add(`${name}{${labels}}`);
      metric.samples.push({ name, labels: labelsIn(labels), value: getNumber(value) });
    }
  }
  return metrics;
}
