import { useState } from 'react';
import type { Container } from '../../../data/containers.js';
import { Button } from '../../../ui/Button.js';
import { dayFromNow } from '../../../ui/now.js';
import { Dialog } from '../../../ui/Dialog.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { Select } from '../../../ui/Select.js';
import { ROLE_CHOICES, formatRole, useChangeMember } from './queries.js';
import type { Member } from './queries.js';

interface EditMemberProps {
  container: Container;
  member: Member;
  onClose: () => void;
  onDone: (said: string) => void;
}

/** Gives a member another role, or another end. */
export function EditMember({ container, member, onClose, onDone }: EditMemberProps) {
  const change = useChangeMember(container);
  const [level, setLevel] = useState(String(member.access_level));
  return (
    <Dialog title={`Role of ${member.name}`} onClose={onClose}>
      <Form
        submit="Save"
        busy={change.isPending}
        problem={change.error}
        fields={['expires_at']}
        beside={<Button onClick={onClose}>Cancel</Button>}
        onSubmit={(values) =>
          change.mutate(
            { id: member.id, level: Number(level), expiresAt: String(values.get('expires_at') ?? '') },
            { onSuccess: () => onDone(`The role of ${member.name} is now ${formatRole(Number(level))}.`) },
          )
        }
      >
        <Select label="Role" name="access_level" choices={ROLE_CHOICES} value={level} onChoose={setLevel} />
        <Field
          label="Expiration date"
          name="expires_at"
          type="date"
          hint="Leave empty for no expiration."
          min={dayFromNow(1)}
          defaultValue={member.expires_at ?? ''}
          short
          problem={fieldProblem(change.error, 'expires_at')}
        />
      </Form>
    </Dialog>
  );
}
