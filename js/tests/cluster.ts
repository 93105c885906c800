// Test data, written for these tests: three reports of one event.

import type { DocumentInput } from "cerasum";

export const ferry: DocumentInput[] = [
  {
    title: "Ferry aground",
    source: "harbour-post.txt",
    language: "en",
    text: "The ferry Alma ran aground off Port Selby on Tuesday night with 214 people aboard. "
      + "All passengers were taken ashore by lifeboats before dawn. 🚢 The captain, Ines Varga, said the "
      + "steering had failed in heavy fog. Nobody was seriously hurt. The harbour will stay closed until the "
      + "wreck has been secured. Fishermen complained that the channel lights had been dark for a week.",
  },
  {
    title: "Lifeboats save 214",
    source: "evening-bell.txt",
    text: "Lifeboats from four villages saved all 214 people from the ferry Alma on Wednesday morning. "
      + "The ship had run aground off Port Selby in heavy fog. \"We heard the horn and simply went,\" said one of "
      + "the volunteers. Six passengers were treated for cold. An inquiry into the steering failure starts "
      + "on Monday. The company said that the Alma had passed an inspection in May.",
  },
  {
    title: "Канал",
    source: "ведомости.txt",
    text: "Паром «Альма» сел на мель у Порт-Селби во вторник ночью. На борту было 214 человек. "
      + "Всех пассажиров сняли до рассвета. Причиной называют отказ рулевого управления.",
  },
];
