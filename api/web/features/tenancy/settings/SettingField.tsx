import { useState } from 'react';
import { Check } from '../../../ui/Check.js';
import { Choices, Field } from '../../../app/forms/Form.js';
import { Select } from '../../../ui/Select.js';
import { TextArea } from '../../../ui/TextArea.js';
import { CodeText } from '../../../ui/CodeText.js';
import type { Setting } from './declared.js';
import { asTyped, getChoices, getKind, mayBeEmpty } from './values.js';
import { formatChoice, formatDefault, formatDocs } from './labels.js';

interface SettingFieldProps {
  name: string;
  label: string;
  setting: Setting;
  /** What it is set to. */
  value: unknown;
  problem: string | null;
}

/** The effect of the setting, if it adds information to the label. */
function getHint(label: string, { docs, default: fallback }: Setting): string {
  const said = formatDocs(label, docs);
  return fallback === undefined ? said : `${said} Default: ${formatDefault(fallback)}.`.trimStart();
}

/** A field of the kind that a setting takes, with what it steers. */
export function SettingField({ name, label, setting, value, problem }: SettingFieldProps) {
  const [chosen, choose] = useState(asTyped(value));
  const kind = getKind(name, setting);
  const hint = getHint(label, setting);
  const common = { label, name, hint: hint && <CodeText>{hint}</CodeText>, problem };
  switch (kind) {
    case 'flag':
      return <Check {...common} on={value === true} />;
    case 'choice':
      return (
        <Select
          {...common}
          {...(mayBeEmpty(setting) ? { none: 'None' } : {})}
          choices={getChoices(setting).map((choice) => ({ value: choice, label: formatChoice(name, choice) }))}
          value={chosen}
          onChoose={choose}
        />
      );
    case 'choices':
      return (
        <Choices
          name={name}
          legend={label}
          hint={common.hint}
          problem={problem}
          choices={(setting.schema.items?.enum ?? []).map((one) => ({ value: one }))}
          chosen={chosen.split('\n')}
          onChoose={(all) => choose(all.join('\n'))}
        />
      );
    case 'list':
      return (
        <TextArea
          {...common}
          hint={<CodeText>{`${hint} One per line.`}</CodeText>}
          rows={4}
          defaultValue={asTyped(value)}
        />
      );
    case 'long text':
      return <TextArea {...common} rows={4} defaultValue={asTyped(value)} />;
    case 'number':
      return <Field {...common} short inputMode="numeric" autoComplete="off" defaultValue={asTyped(value)} />;
    case 'secret':
      return <Field {...common} type="password" autoComplete="new-password" defaultValue={asTyped(value)} />;
    case 'text':
      return <Field {...common} autoComplete="off" spellCheck={false} defaultValue={asTyped(value)} />;
  }
}
