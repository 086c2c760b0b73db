import { containerOfRow } from '../../core/operations/container.js';
import { markdownHtml } from '../../core/markdown/markdown-html.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { textColorOn } from './label-colors.js';
import type { Label } from './label.entity.js';

/** Descriptions of labels as HTML: each is one line. */
export const labelHtml = markdownHtml<Label, 'description'>(
  ({ description }) => ({ description: description ? { line: description } : null }),
  containerOfRow,
);

/** What every record of a label shows. */
export const labelFields: Record<string, OutField<Label>> = {
  id: out.integer((label) => label.id),
  name: out.text((label) => label.title),
  description: out.nullableText((label) => label.description ?? null),
  description_html: out.nullableText((label, ctx) =>
    label.description ? (labelHtml.of(label, ctx)?.description ?? '') : null,
  ),
  text_color: out.text((label) => textColorOn(label.color), {
    description: 'Colour of text that is readable on the colour of the label.',
  }),
  color: out.text((label) => label.color, { description: 'Colour of the label, as `#rrggbb`.' }),
};

/** A label as embedded in other records. */
export const labelSummary = serializer<Label>('LabelSummary', labelFields, { loads: [labelHtml] });
