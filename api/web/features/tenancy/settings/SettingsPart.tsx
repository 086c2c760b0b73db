import { useState } from 'react';
import { useMutation } from '../../../data/mutation.js';
import { fieldProblem, Form } from '../../../app/forms/Form.js';
import { Card, Section } from '../../../ui/Page.js';
import { Said } from '../../../ui/Said.js';
import type { Part, Setting } from './declared.js';
import { SettingField } from './SettingField.js';
import { asSent, asTyped, getKind, isSameInput, nested, readValue, typedIn } from './values.js';
import type { Values } from './values.js';

/** One setting of a part. */
export interface PartSetting {
  name: string;
  label: string;
  setting: Setting;
}

interface SettingsPartProps {
  part: Part;
  settings: readonly PartSetting[];
  /** The values when the section is first displayed; concurrent changes by others do not affect the user's input. */
  record: Values;
  /** Sends what was changed, and answers the record as it then is. */
  save: (changes: Values) => Promise<Values>;
  onSaved: (record: Values) => void;
}

/** The API names parts of a setting without the end of its parameter. */
const otherName = (name: string) => name.replace('_attributes.', '.');

/** What differs from what was there, as the API takes it. */
function changesIn(form: FormData, settings: readonly PartSetting[], before: Values): Values {
  const sent = settings.flatMap(({ name, setting }): [string, unknown][] => {
    const kind = getKind(name, setting);
    const typed = typedIn(form, name, kind);
    return isSameInput(kind, typed, asTyped(readValue(before, name))) ? [] : [[name, asSent(typed, setting, kind)]];
  });
  return nested(sent);
}

/** Some of the settings, saved together: only what was changed is sent, and a refusal keeps what was typed. */
export function SettingsPart({ part, settings, record, save, onSaved }: SettingsPartProps) {
  const [{ before, times }, setBefore] = useState({ before: record, times: 0 });
  const [said, setSaid] = useState('');
  const change = useMutation({ mutationFn: save });
  const names = settings.map(({ name }) => name);
  return (
    <Section title={part.title}>
      <p>{part.lead}</p>
      <Said>{said}</Said>
      <Card>
        <Form
          key={times}
          submit="Save changes"
          busy={change.isPending}
          problem={change.error}
          fields={[...names, ...names.map(otherName)]}
          onSubmit={(form) => {
            setSaid('');
            const changes = changesIn(form, settings, before);
            if (Object.keys(changes).length === 0) {
              change.reset();
              return setSaid('No changes.');
            }
            change.mutate(changes, {
              onSuccess: (now) => {
                setBefore({ before: now, times: times + 1 });
                setSaid('Saved.');
                onSaved(now);
              },
            });
          }}
        >
          {settings.map(({ name, label, setting }) => (
            <SettingField
              key={name}
              name={name}
              label={label}
              setting={setting}
              value={readValue(before, name)}
              problem={fieldProblem(change.error, name) ?? fieldProblem(change.error, otherName(name))}
            />
          ))}
        </Form>
      </Card>
    </Section>
  );
}
