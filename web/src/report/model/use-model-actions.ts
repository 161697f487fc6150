/** What the owner of a report may do with its model: save it, ask it, predict with it. */
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';

import { askModel, MODELS_KEY, nameModel } from '../../lib/models.ts';
import { toast } from '../../lib/toast.ts';
import type { ModelActions } from '../context.ts';

/** `vid`: the data that the form of the prediction opens on; another can be chosen there. */
export function useModelActions(vid: number | null): ModelActions {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMemo(
    () => ({
      async save(id, name) {
        await nameModel(id, name);
        await client.invalidateQueries({ queryKey: [MODELS_KEY] });
        toast.done(`模型“${name}”已保存，可用来预测新数据`);
      },
      ask: askModel,
      predict(id, path) {
        const method = encodeURIComponent(`${path}_predict`);
        void navigate(`/analysis/operation/${vid ?? 0}?method=${method}`, {
          state: { carry: { model: { model_id: id } } },
        });
      },
    }),
    [client, navigate, vid],
  );
}
