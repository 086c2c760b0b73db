import { renderMarkdown } from '../../core/markdown.js';
import { inView, out, shape } from '../../core/shape.js';
import type { OutField } from '../../core/shape.js';
import { textColorOn } from './label-colors.js';
import { labelCounts } from './label-counts.js';
import type { LabelRecord } from './label.record.js';

const OPEN = '<p dir="auto">';
const CLOSE = '</p>';

/** A description is one line: its HTML is no paragraph, where it is not more than one. */
function inlineHtml(text: string): string {
  const html = renderMarkdown(text);
  const isOneParagraph = html.startsWith(OPEN) && html.indexOf(CLOSE) === html.length - CLOSE.length;
  return isOneParagraph ? html.slice(OPEN.length, -CLOSE.length) : html;
}

const fields: Record<string, OutField<LabelRecord>> = {
  id: out.integer((label) => label.id),
  name: out.text((label) => label.title),
  description: out.nullableText((label) => label.description ?? null),
  description_html: out.nullableText((label) => (label.description ? inlineHtml(label.description) : null)),
  text_color: out.text((label) => textColorOn(label.color), { description: 'Of text that is read well on it.' }),
  color: out.text((label) => label.color, { description: '`#rrggbb`.' }),
  archived: out.boolean((label) => label.archived),
  ...inView('with_counts', {
    open_issues_count: out.integer((label: LabelRecord, ctx) => labelCounts.of(label, ctx)?.opened ?? 0),
    closed_issues_count: out.integer((label: LabelRecord, ctx) => labelCounts.of(label, ctx)?.closed ?? 0),
    open_merge_requests_count: out.integer(() => 0),
  }),
  subscribed: out.boolean((label) => label.subscribed),
};

const options = { views: { with_counts: { loads: [labelCounts] } } };

/** A label of a group (core-resources.md section 8). */
export const groupLabelShape = shape<LabelRecord>('GroupLabel', fields, options);

/** A label as a project has it, its own or one of the groups above. */
export const projectLabelShape = shape<LabelRecord>(
  'ProjectLabel',
  {
    ...fields,
    priority: out.nullableInteger((label) => label.priority, { description: '0 is the highest.' }),
    is_project_label: out.boolean((label) => label.project_id !== null),
  },
  options,
);
