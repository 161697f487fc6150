/** Leads to a step of data processing that takes the dimensions, with its form filled in. */
import type { MethodRow } from '@hengxi/server/analysis/schema';
import type { Dimension, Version } from '@hengxi/server/files/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useNavigate } from 'react-router';

import { methodsQuery } from '../../lib/catalogue.ts';
import { itemsFor, onOneScale } from './fill.ts';

interface StepLinkProps {
  version: Pick<Version, 'vid'>;
  dimensions: readonly Dimension[];
  step: (methods: readonly MethodRow[]) => MethodRow | undefined;
  text: string;
  size?: 'small' | 'middle';
}

export function StepLink({ version, dimensions, step, text, size = 'middle' }: StepLinkProps) {
  const navigate = useNavigate();
  const method = step(useQuery(methodsQuery).data ?? []);
  const takes = method?.takes_dimensions ?? null;
  if (method === undefined || takes === null) return null;
  const wanted = onOneScale(takes, dimensions);
  if (!wanted.some((one) => itemsFor(takes, one).length > 0)) return null;
  const address = `/dataprocessing/dispose/${version.vid}?method=${method.algo_code}`;
  return (
    <Button size={size} onClick={() => void navigate(address, { state: { dimensions: wanted.map(({ id }) => id) } })}>
      {text}
    </Button>
  );
}
