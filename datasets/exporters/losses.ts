import { assistants, type Conversation } from "./conversation.js";

/** Something that a target has no place for. */
export interface Loss {
  readonly name: string;
  /** What becomes of it in this target, for people. */
  readonly how: string;
  /** Changes what is trained on: the export stops until `--accept-loss` names it. Others are only stated. */
  readonly consent: boolean;
  /** Whether a row has it. */
  touches(row: Conversation): boolean;
}

/** The target learns from every assistant message, and the row has some that are not to be learned from (again). */
export function messageLoss(how: string): Loss {
  return {
    name: "message_loss",
    how,
    consent: true,
    touches: ({ turns }) => assistants(turns).some(({ loss }) => !loss),
  };
}

/** As {@link messageLoss}, for a target that can leave out what stands before the first message to learn from, and nothing after it. */
export function lateMessageLoss(how: string): Loss {
  return {
    name: "message_loss",
    how,
    consent: true,
    touches: ({ turns }) => {
      const said = assistants(turns);
      const first = said.findIndex(({ loss }) => loss);
      return first < 0 || said.slice(first).some(({ loss }) => !loss);
    },
  };
}

/** Calls and schemas are words of the text: they hold for templates of that form only. */
export const callsAsText: Loss = {
  name: "calls_as_text",
  how: "tool schemas, calls and responses are written into the text in the Hermes form, as the templates of Qwen2.5, Qwen3 and Hermes render them",
  consent: false,
  touches: ({ turns, tools }) => tools.length > 0 || turns.some(({ calls }) => calls.length > 0),
};

/** Ids and log probabilities that the endpoint gave. */
export const tokenIds: Loss = {
  name: "token_ids",
  how: "token ids, log probabilities and expert routes stay behind: the trainer tokenises the text again, and may cut it otherwise than the model did",
  consent: false,
  touches: ({ record }) => record.tokens !== null,
};

/** A segment is a row of its own in every target. */
export const segments: Loss = {
  name: "segments",
  how: "segments of one rollout are rows of their own: the target has no word for what joins them (columns `rollout` and `segment`)",
  consent: false,
  touches: ({ record }) => record.segment > 0,
};
