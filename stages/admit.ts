import { z } from "zod";
import { admission } from "../verifiers/admission.js";
import { type QuestionRow, questionRow } from "./question.js";
import { rolloutsOf } from "./rollout/rollouts.js";
import { withGate } from "./screen/verdict.js";
import { defineStage } from "./stage.js";
