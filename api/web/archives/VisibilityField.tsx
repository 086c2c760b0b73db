import { useState } from 'react';
import { Select } from '../ui/Select.js';

const CHOICES = [
  { value: 'private', label: 'Private: its members' },
  { value: 'internal', label: 'Internal: everybody who is signed in' },
  { value: 'public', label: 'Public: everybody' },
];

/** Who sees what is made. */
export function VisibilityField({ problem }: { problem: string | null }) {
  const [value, setValue] = useState('private');
  return (
    <Select
      label="Visibility"
      name="visibility"
      hint="No more people than see what it lies in."
      choices={CHOICES}
      value={value}
      onChoose={setValue}
      problem={problem}
    />
  );
}
